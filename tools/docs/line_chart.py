"""Draws lines over logarithmic axes as SVG, readable on light and on dark pages."""
import math

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 62, 50
STYLE = """<style>
text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;font-size:12px;fill:#57606a}
.title{font-size:15px;font-weight:600;fill:#24292f}.grid{stroke:#8884;stroke-width:1}
polyline{fill:none;stroke-width:2}.middle{text-anchor:middle}.end{text-anchor:end}
@media (prefers-color-scheme:dark){text{fill:#9da7b3}.title{fill:#e6edf3}}
</style>"""
COLOURS = ["#2f81c7", "#d9822b", "#3f9b57", "#a371d6"]


class Axis:
    """A logarithmic scale from data to a line of the picture."""

    def __init__(self, ticks, start, end):
        self.ticks, self.start, self.end = ticks, start, end
        self.low, self.high = math.log(ticks[0]), math.log(ticks[-1])

    def place(self, value):
        share = (math.log(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def text(x, y, words, kind=""):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{words}</text>'


def spread(places, distance=15):
    """Labels at the ends of lines, pushed apart until none covers another."""
    moved = {}
    last = -math.inf
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        last = moved[name] = max(place, last + distance)
    return moved


def line_chart(title, axis_names, ticks, lines):
    """The picture of `lines`, a dict from a name to its points (x, y). `axis_names` and `ticks`
    are pairs, of x and of y; ticks are ascending, and their ends are those of the picture."""
    x = Axis(ticks[0], LEFT, WIDTH - RIGHT)
    y = Axis(ticks[1], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'role="img" aria-label="{title}">', STYLE, text(12, 22, title, "title")]
    for tick in ticks[0]:
        parts.append(f'<line x1="{x.place(tick):g}" y1="{TOP}" x2="{x.place(tick):g}" '
                     f'y2="{HEIGHT - BOTTOM}" class="grid"/>')
        parts.append(text(x.place(tick), HEIGHT - BOTTOM + 18, f"{tick:,g}", "middle"))
    for tick in ticks[1]:
        parts.append(f'<line x1="{LEFT}" y1="{y.place(tick):g}" x2="{WIDTH - RIGHT}" '
                     f'y2="{y.place(tick):g}" class="grid"/>')
        parts.append(text(LEFT - 8, y.place(tick) + 4, f"{tick:,}", "end"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, axis_names[0], "middle"))
    parts.append(text(12, TOP - 16, axis_names[1]))
    ends = spread({name: y.place(points[-1][1]) for name, points in lines.items()})
    for colour, (name, points) in zip(COLOURS, lines.items()):
        path = " ".join(f"{x.place(a):g},{y.place(b):g}" for a, b in points)
        parts.append(f'<polyline points="{path}" stroke="{colour}"/>')
        parts.append(f'<text x="{x.place(points[-1][0]) + 8:g}" y="{ends[name] + 4:g}" '
                     f'style="fill:{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])
