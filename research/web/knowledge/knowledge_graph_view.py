"""Draws a graph: entities on a circle, or around one of them; a line joins two that occur together."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from unicodedata import east_asian_width

from research.library.knowledge.knowledge_graph_shape import EntityRelation, EntitySummary

WIDTH, HEIGHT = 360, 340
MAX_DRAWN = 14
_MAX_LABEL = 14
_RADIUS_X, _RADIUS_Y = 70, 132
_THICKEST = 5.0


@dataclass(frozen=True, slots=True)
class Dot:
    """An entity. Its label is placed beside it, away from the centre."""

    x: float
    y: float
    radius: float
    label: str
    label_x: float
    label_y: float
    anchor: str
    kind: str


@dataclass(frozen=True, slots=True)
class GraphLine:
    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True, slots=True)
class GraphPicture:
    dots: Sequence[Dot]
    lines: Sequence[GraphLine]
    width: int = WIDTH
    height: int = HEIGHT


def draw_circle(entities: Sequence[EntitySummary], relations: Sequence[EntityRelation]) -> GraphPicture:
    """Draw the first entities on a circle."""
    shown = entities[:MAX_DRAWN]
    dots = {entity.key: dot for entity, dot in zip(shown, _on_circle(shown), strict=True)}
    ends = [
        (dots[relation.a], dots[relation.b], relation.claims)
        for relation in relations
        if relation.a in dots and relation.b in dots
    ]
    return GraphPicture(list(dots.values()), _lines(ends))


def draw_star(middle: EntitySummary, related: Sequence[EntitySummary]) -> GraphPicture:
    """Draw an entity at the centre with the entities that occur together with it."""
    around = _on_circle(related[:MAX_DRAWN], is_top_free=True)
    x, y = WIDTH / 2, HEIGHT / 2
    centre = Dot(x, y, 9, _label(middle.name), x, y - 15, "middle", "centre")
    ends = [(centre, dot, entity.claims) for dot, entity in zip(around, related, strict=False)]
    return GraphPicture([*around, centre], _lines(ends))


def _on_circle(entities: Sequence[EntitySummary], *, is_top_free: bool = False) -> list[Dot]:
    """Place the entities clockwise from the top; `is_top_free` leaves room there for the central label."""
    most = max((entity.claims for entity in entities), default=1)
    shift = 0.5 if is_top_free else 0
    return [
        _dot(entity, 2 * pi * (index + shift) / len(entities) - pi / 2, most)
        for index, entity in enumerate(entities)
    ]


def _dot(entity: EntitySummary, angle: float, most: int) -> Dot:
    across, down = cos(angle), sin(angle)
    x, y = WIDTH / 2 + _RADIUS_X * across, HEIGHT / 2 + _RADIUS_Y * down
    radius = 4 + 4 * (entity.claims / most) ** 0.5
    is_aside = abs(across) > 0.2
    anchor = ("start" if across > 0 else "end") if is_aside else "middle"
    label_x = x + (radius + 4) * (1 if across > 0 else -1) if is_aside else x
    label_y = y + 4 if is_aside else y + (radius + 13 if down > 0 else -radius - 5)
    return Dot(
        x=round(x, 1),
        y=round(y, 1),
        radius=round(radius, 1),
        label=_label(entity.name),
        label_x=round(label_x, 1),
        label_y=round(label_y, 1),
        anchor=anchor,
        kind=entity.kind.value,
    )


def _lines(ends: Sequence[tuple[Dot, Dot, int]]) -> list[GraphLine]:
    most = max((claims for _a, _b, claims in ends), default=1)
    return [GraphLine(a.x, a.y, b.x, b.y, round(1 + _THICKEST * claims / most, 1)) for a, b, claims in ends]


def _label(name: str) -> str:
    """Cut a name to the room beside its dot; letters of Chinese, Japanese and Korean count as twice as wide."""
    width = 0
    for at, letter in enumerate(name):
        width += 2 if east_asian_width(letter) in "WF" else 1
        if width > _MAX_LABEL:
            return f"{name[: at - 1].rstrip()}…"
    return name
