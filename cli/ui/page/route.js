// Where we are is in the URL: the screen, the range, the filter, the picked event. The secret never is.
import { signal } from "./html.js";

/** The screens, in the order of the tabs, with the letter that follows `g`. */
export const screens = [
  { name: "timeline", path: "/t", title: "Timeline", letter: "t" },
  { name: "rules", path: "/r", title: "Rules", letter: "r" },
  { name: "approvals", path: "/a", title: "Approvals", letter: "a" },
  { name: "hooks", path: "/h", title: "Hooks", letter: "h" },
  { name: "trust", path: "/trust", title: "Trust", letter: "u" },
  { name: "stats", path: "/s", title: "Stats", letter: "s" },
  { name: "doctor", path: "/d", title: "Doctor", letter: "d" },
  { name: "fleet", path: "/f", title: "Fleet", letter: "f" },
];

const read = () => {
  const { pathname, search } = location;
  const params = new URLSearchParams(search);
  if (pathname.startsWith("/e/")) return { screen: "event", id: decodeURIComponent(pathname.slice(3)), params };
  const found = screens.find(({ path }) => path === pathname);
  return { screen: found ? found.name : pathname === "/" ? "timeline" : "nowhere", params };
};

export const route = signal(read());
addEventListener("popstate", () => (route.value = read()));

export const address = (path, params = {}) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  const text = query.toString().replaceAll("%3A", ":").replaceAll("%2F", "/");
  return text ? `${path}?${text}` : path;
};

export const go = (url, { replace = false } = {}) => {
  if (url === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", url);
  route.value = read();
};

/** Changes some parameters of the screen; "" and null remove one. */
export const change = (params, options) => {
  const all = { ...Object.fromEntries(route.peek().params), ...params };
  const path = location.pathname === "/" ? "/t" : location.pathname;
  go(address(path, all), options);
};

/** Links inside the page do not load it again. */
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || link.hasAttribute("download") || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
