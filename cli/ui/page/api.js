// Talks to the server that sent this page. The key of this tab is a header; it is in no URL and in no cookie.
import { signal } from "./html.js";

const kKey = "grapnel-token";

export class ApiError extends Error {
  constructor(status, message, hint) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** What the server said about this tab: {version, read_only, unlocked, can_unlock}; null before it said anything. */
export const session = signal(null);
/** Why there is no session: "none" (opened without a ticket), "over" (the server does not know the key any more). */
export const refused = signal("");
/** The server does not answer at all. */
export const offline = signal(false);

let token = sessionStorage.getItem(kKey);

const failure = async (response) => {
  let said = {};
  try {
    said = (await response.json()).error ?? {};
  } catch {
    // An answer that is no JSON has only a status.
  }
  if (response.status === 401) {
    sessionStorage.removeItem(kKey);
    token = null;
    refused.value = "over";
  }
  return new ApiError(response.status, said.message ?? `the server answered ${response.status}`, said.hint);
};

const ask = async (path, options = {}) => {
  let response;
  try {
    response = await fetch(path, {
      ...options,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      headers: { ...options.headers, ...(token ? { "X-Grapnel-Token": token } : {}) },
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    offline.value = true;
    throw new ApiError(0, "grapnel ui does not answer", "It has ended, or its terminal was closed: start `grapnel ui` again.");
  }
  offline.value = false;
  if (!response.ok) throw await failure(response);
  return response;
};

const query = (params) => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== undefined && value !== null && value !== "") search.set(name, value);
  }
  const text = search.toString();
  return text ? `?${text}` : "";
};

export const get = async (path, params, signal) => (await ask(path + query(params), { signal })).json();

export const post = async (path, body, signal) =>
  (await ask(path, { method: "POST", body: JSON.stringify(body), signal, headers: { "Content-Type": "application/json" } })).json();

/** The body of an answer that goes on and on. */
export const stream = async (path, params, signal) => (await ask(path + query(params), { signal })).body;

/** The whole answer, as a file. */
export const blob = async (path, params) => (await ask(path + query(params))).blob();

/** Exchanges the ticket in the fragment for a key, and takes it out of the address. */
export const begin = async () => {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  try {
    if (ticket) {
      const given = await post("/api/session", { ticket });
      token = given.token;
      sessionStorage.setItem(kKey, token);
      session.value = given;
      return true;
    }
    if (!token) {
      refused.value = "none";
      return false;
    }
    const about = await get("/api/about");
    session.value = about;
    return true;
  } catch (error) {
    // A ticket works once: a reload of an address that still has one goes on with the key that it bought.
    if (ticket && token && error.status >= 400) {
      refused.value = "";
      try {
        session.value = await get("/api/about");
        return true;
      } catch {
        // Told below.
      }
    }
    if (error.status >= 400) refused.value = ticket ? "spent" : "over";
    return false;
  }
};
