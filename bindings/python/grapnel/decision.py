"""Decisions: what hooks answer to an event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional


@dataclass(frozen=True)
class Text:
    """A text, and the name of the hook that it comes from ("" if it is Grapnel's own)."""

    hook: str
    text: str


@dataclass(frozen=True)
class HookFate:
    """What happened to one hook: it "ran", "failed", was "skipped" or "detached"."""

    name: str
    source: str
    fate: str
    detail: str
    verdict: str
    milliseconds: float


@dataclass(frozen=True)
class Decision:
    """What the host should do, and why. `json` has everything, as `grapnel fire --json` prints it."""

    verdict: str
    """"pass" (nobody objects), "allow" (nobody needs to be asked), "ask", "deny"."""
    reason: Optional[str]
    origin: str
    decided_by: Optional[str]
    context: list[Text]
    messages: list[Text]
    hooks: list[HookFate]
    rewrite: Mapping[str, Any]
    stop: bool
    stop_reason: Optional[str]
    event_id: Optional[str]
    json: Mapping[str, Any] = field(repr=False)

    @property
    def denied(self) -> bool:
        return self.verdict == "deny"

    @property
    def context_text(self) -> str:
        """All texts for the model, separated by blank lines."""
        return "\n\n".join(item.text for item in self.context)

    def input_for(self, tool_input: Mapping[str, Any]) -> Mapping[str, Any]:
        """The tool input after the hooks' changes."""
        if "input" in self.rewrite:
            replaced: Mapping[str, Any] = self.rewrite["input"]
            return replaced
        return {**tool_input, **self.rewrite.get("input_patch", {})}

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Decision:
        return cls(
            verdict=json["verdict"],
            reason=json["reason"],
            origin=json["origin"],
            decided_by=json["decided_by"],
            context=[Text(**item) for item in json["context"]],
            messages=[Text(**item) for item in json["messages"]],
            hooks=[HookFate(*(hook[name] for name in HookFate.__dataclass_fields__)) for hook in json["hooks"]],
            rewrite=json["rewrite"] or {},
            stop=json["stop"],
            stop_reason=json["stop_reason"],
            event_id=json["event_id"],
            json=json,
        )
