"""The plots of docs/results/speed.md: bars and lines on a logarithmic scale, as SVG."""
import math
from xml.sax.saxutils import escape

STYLE = """<style>text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#24292f}
.title{font-size:17px;font-weight:600}.label{font-size:13px}.end{font-size:13px;text-anchor:end}
.tick{font-size:12px;fill:#646e79;text-anchor:middle}.left{font-size:12px;fill:#646e79;
text-anchor:end}.value{font-size:11px}.note{font-size:12px;fill:#646e79}</style>
"""


class Drawing:
    """Shapes on a white ground, so that the plot reads the same on light and dark pages."""

    def __init__(self, width, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">\n',
                      STYLE, f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n']

    def text(self, x, y, look, words):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{look}">{escape(words)}</text>\n')

    def bar(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                          f'height="{height:.1f}" fill="{colour}"/>\n')

    def line(self, points, colour, width=1.0, dashes=""):
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" '
                          f'stroke-width="{width}"{dashed}/>\n')

    def dot(self, x, y, colour, hollow=False):
        look = f'fill="#ffffff" stroke="{colour}" stroke-width="1.5"' if hollow else f'fill="{colour}"'
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" {look}/>\n')

    def svg(self):
        return "".join(self.parts) + "</svg>\n"


class LogScale:
    """Maps [low, high], widened to powers of ten, to [begin, end]."""

    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.begin, self.end = begin, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def shown(value):
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def milliseconds(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def bars(title, series, rows, note="milliseconds", missing="not answered"):
    """`series`: (key, name, colour); `rows`: dictionaries with "query" and the keys."""
    left, right, top, height = 150, 850, 92, 17
    pitch = height * len(series) + 14
    bottom = top + pitch * len(rows)
    drawing = Drawing(960, bottom + 46)
    values = [row[key] for row in rows for key, _, _ in series if row.get(key)]
    scale = LogScale(values, left, right)
    drawing.text(24, 34, "title", title)
    for place, (_, name, colour) in enumerate(series):
        across = 24 + min(250, 920 / len(series)) * place
        drawing.bar(across, 52, 12, 12, colour)
        drawing.text(across + 18, 63, "label", name)
    for tick in scale.ticks():
        drawing.line([(scale(tick), top - 6), (scale(tick), bottom)], "#e6e9ec")
        drawing.text(scale(tick), bottom + 18, "tick", shown(tick))
    drawing.text(left, bottom + 36, "note", f"{note}, logarithmic scale")
    for place, row in enumerate(rows):
        y = top + pitch * place
        drawing.text(left - 10, y + pitch / 2 - 3, "end", row["query"])
        for key, _, colour in series:
            if row.get(key):
                drawing.bar(left, y, scale(row[key]) - left, height - 2, colour)
                drawing.text(scale(row[key]) + 5, y + 12, "value", milliseconds(row[key]))
            else:
                drawing.text(left + 5, y + 12, "value", missing)
            y += height
    return drawing.svg()


def panel(drawing, box, heading, lines):
    """`lines`: (name, colour, dashes, [(x, ms)…]); both axes logarithmic."""
    left, right, top, bottom = box
    points = [point for _, _, _, line in lines for point in line]
    across = LogScale([x for x, _ in points], left, right)
    up = LogScale([y for _, y in points], bottom, top)
    drawing.text(left, top - 16, "label", heading)
    for tick in up.ticks():
        drawing.line([(left, up(tick)), (right, up(tick))], "#e6e9ec")
        drawing.text(left - 8, up(tick) + 4, "left", shown(tick))
    for tick in across.ticks():
        drawing.text(across(tick), bottom + 18, "tick", shown(tick))
    for place, (name, colour, dashes, line) in enumerate(lines):
        drawing.line([(across(x), up(y)) for x, y in line], colour, 2, dashes)
        for x, y in line:
            drawing.dot(across(x), up(y), colour)
        drawing.line([(right + 14, top + 20 * place), (right + 40, top + 20 * place)], colour, 2,
                     dashes)
        drawing.text(right + 46, top + 20 * place + 4, "label", name)


def lines(title, panels):
    """`panels`: (heading, lines), one below the other."""
    drawing = Drawing(960, 70 + 340 * len(panels))
    drawing.text(24, 34, "title", title)
    for place, (heading, content) in enumerate(panels):
        top = 92 + 340 * place
        panel(drawing, (90, 690, top, top + 250), heading, content)
    return drawing.svg()


def dots(title, series, panels, note):
    """`series`: (name, colour); `panels`: (heading, [(row, [(colour, value or None, hollow)…])…]), side by
    side on one logarithmic scale for all."""
    left, gap, width, top, pitch = 140, 24, 250, 112, 24
    found = [value for _, rows in panels for _, marks in rows for _, value, _ in marks if value]
    bottom = top + pitch * len(panels[0][1])
    drawing = Drawing(960, bottom + 48 + 18 * len(note))
    drawing.text(24, 34, "title", title)
    for place, (name, colour) in enumerate(series):
        drawing.dot(30 + 160 * place, 59, colour)
        drawing.text(40 + 160 * place, 63, "label", name)
    for place, (heading, rows) in enumerate(panels):
        begin = left + (width + gap) * place
        scale = LogScale(found, begin + 8, begin + width - 8)
        drawing.text(begin + 8, top - 18, "label", heading)
        for number, tick in enumerate(scale.ticks()):
            drawing.line([(scale(tick), top - 8), (scale(tick), bottom)], "#e6e9ec")
            if number % 3 == 1:  # all of them would not fit
                drawing.text(scale(tick), bottom + 18, "tick", shown(tick))
        for line, (name, marks) in enumerate(rows):
            y = top + pitch * line + pitch / 2
            drawing.line([(begin, y), (begin + width, y)], "#f1f3f5")
            if place == 0:
                drawing.text(left - 8, y + 4, "end", name)
            for colour, value, hollow in marks:
                if value:
                    drawing.dot(scale(value), y, colour, hollow)
    for line, words in enumerate(note):
        drawing.text(24, bottom + 40 + 18 * line, "note", words)
    return drawing.svg()


def cluster_panel(drawing, top, content, colours):
    """Bars on a logarithmic scale from 1; `content`: [(words below, [(count, mark)…])…]."""
    left, right, bottom = 64, 940, top + 230
    scale = LogScale([1, *(count for _, cells in content for count, _ in cells)], bottom, top)
    for tick in scale.ticks():
        drawing.line([(left, scale(tick)), (right, scale(tick))], "#e6e9ec")
        drawing.text(left - 8, scale(tick) + 4, "left", shown(tick))
    pitch, width = (right - left) / len(content), 20
    for place, (words, cells) in enumerate(content):
        middle = left + pitch * (place + 0.5)
        drawing.text(middle, bottom + 20, "tick", words)
        for number, ((count, mark), colour) in enumerate(zip(cells, colours)):
            x = middle + width * (number - len(cells) / 2)
            drawing.bar(x + 1, scale(count) - 1, width - 2, bottom - scale(count) + 1, colour)
            drawing.text(x + 1, scale(count) - 5, "value", f"{count}{mark}")


def clusters(title, series, panels, note):
    """`series`: (name, colour); `panels`: (heading, content of cluster_panel), one below the other."""
    first, height = 150, 310
    drawing = Drawing(960, first + height * len(panels))
    drawing.text(24, 34, "title", title)
    for place, (name, colour) in enumerate(series):
        x, y = 24 + 300 * (place % 3), 52 + 20 * (place // 3)
        drawing.bar(x, y, 12, 12, colour)
        drawing.text(x + 18, y + 11, "label", name)
    for place, (heading, content) in enumerate(panels):
        top = first + height * place
        drawing.text(24, top - 18, "label", heading)
        cluster_panel(drawing, top, content, [colour for _, colour in series])
    drawing.text(24, first + height * len(panels) - 12, "note", note)
    return drawing.svg()
