"""Draws the pictures of the example site: `python3 draw.py` writes the PNG files beside it. Needs Python alone."""

import math
import pathlib
import random
import struct
import zlib

W, H = 1280, 720
LINES = 4  # lines a pixel, for smooth edges


def rgb(text):
    return tuple(int(text[i : i + 2], 16) for i in (0, 2, 4))


def mix(a, b, t):
    return tuple(a[i] + (b[i] - a[i]) * t for i in range(3))


class Picture:
    def __init__(self, top, bottom):
        top, bottom = rgb(top), rgb(bottom)
        self.rows = []
        for y in range(H):
            color = bytes(round(c) for c in mix(top, bottom, y / (H - 1)))
            self.rows.append(bytearray(color * W))

    def fill(self, spans, y0, y1, top, bottom=None, alpha=1.0):
        """Fills a shape: `spans(y)` gives the ranges of x on a line."""
        top = rgb(top)
        bottom = rgb(bottom) if bottom else top
        first, last = max(0, math.floor(y0)), min(H - 1, math.ceil(y1))
        for y in range(first, last + 1):
            color = mix(top, bottom, min(1, max(0, (y - y0) / max(1, y1 - y0))))
            cover = {}
            for line in range(LINES):
                for a, b in spans(y + (line + 0.5) / LINES):
                    a, b = max(0.0, a), min(float(W), b)
                    if b <= a:
                        continue
                    start, end = int(a), min(W - 1, int(b))
                    for x in {start, end}:
                        part = min(b, x + 1) - max(a, x)
                        cover[x] = cover.get(x, 0) + max(0, part) / LINES
                    if end > start + 1:
                        key = ("run", start + 1, end)
                        cover[key] = cover.get(key, 0) + 1 / LINES
            self.blend(y, cover, color, alpha)

    def blend(self, y, cover, color, alpha):
        row = self.rows[y]
        depth = {}
        for key, part in cover.items():
            if isinstance(key, tuple):
                for x in (range(key[1], key[2]) if part < 0.999 or alpha < 1 else ()):
                    depth[x] = depth.get(x, 0) + part
                if part >= 0.999 and alpha >= 1:
                    row[3 * key[1] : 3 * key[2]] = bytes(round(c) for c in color) * (key[2] - key[1])
            else:
                depth[key] = depth.get(key, 0) + part
        for x, part in depth.items():
            part = min(1, part) * alpha
            for i in range(3):
                old = row[3 * x + i]
                row[3 * x + i] = round(old + (color[i] - old) * part)

    def ellipse(self, cx, cy, rx, ry, top, bottom=None, alpha=1.0):
        def spans(y):
            d = 1 - ((y - cy) / ry) ** 2
            return [(cx - rx * math.sqrt(d), cx + rx * math.sqrt(d))] if d > 0 else []

        self.fill(spans, cy - ry, cy + ry, top, bottom, alpha)

    def circle(self, cx, cy, r, top, bottom=None, alpha=1.0):
        self.ellipse(cx, cy, r, r, top, bottom, alpha)

    def box(self, x, y, w, h, r, top, bottom=None, alpha=1.0):
        def spans(line):
            if not y <= line <= y + h:
                return []
            inset = max(0, y + r - line, line - (y + h - r))
            cut = r - math.sqrt(max(0, r * r - inset * inset)) if r else 0
            return [(x + cut, x + w - cut)]

        self.fill(spans, y, y + h, top, bottom, alpha)

    def hills(self, height, top, bottom):
        """Everything below a curve."""

        def spans(y):
            found, start = [], None
            for x in range(0, W + 1):
                inside = y > height(x)
                if inside and start is None:
                    start = x
                if not inside and start is not None:
                    found.append((start, x))
                    start = None
            if start is not None:
                found.append((start, W))
            return found

        self.fill(spans, min(height(x) for x in range(0, W, 4)), H, top, bottom)

    def save(self, name):
        raw, before = bytearray(), bytes(3 * W)
        for row in self.rows:
            raw.append(2)  # the difference to the row above
            raw.extend((a - b) & 255 for a, b in zip(row, before))
            before = bytes(row)

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", W, H, 8, 2, 0, 0, 0)
        data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(raw), 9)) + chunk(b"IEND", b"")
        (pathlib.Path(__file__).parent / f"{name}.png").write_bytes(data)
        print(name, len(data))


def dish(picture, x, y, r, rim, food, bits, chance):
    """A bowl from above."""
    picture.circle(x + 6, y + 12, r, "2a1a10", alpha=0.28)
    picture.circle(x, y, r, rim, mix_hex(rim, "9a8f80", 0.25))
    picture.circle(x, y, r * 0.86, mix_hex(rim, "5d5449", 0.35))
    picture.circle(x, y + 1, r * 0.82, food, mix_hex(food, "301808", 0.18))
    for _ in range(14):
        angle, away = chance.uniform(0, math.tau), r * 0.62 * math.sqrt(chance.random())
        size = r * chance.uniform(0.06, 0.15)
        picture.circle(x + away * math.cos(angle), y + away * math.sin(angle), size, chance.choice(bits))


def mix_hex(a, b, t):
    return "".join(f"{round(c):02x}" for c in mix(rgb(a), rgb(b), t))


def table():
    chance = random.Random(7)
    p = Picture("6e4a2f", "4c2f1c")
    for y in range(0, H, 120):
        p.box(0, y, W, 3, 0, "3d2413", alpha=0.5)
    p.circle(640, 360, 330, "8a5d3b", "74492b")
    p.circle(640, 360, 312, "996a45", "80532f")
    dish(p, 640, 372, 128, "f4efe6", "b8442a", ["7fae4f", "f2ead8", "d9822b", "8c2c1a"], chance)
    around = [
        ("e9e3d6", "fbf8ef", ["ffffff", "f0e9d8"]), ("3f5d52", "cfd98a", ["7b9f3c", "4f7a2a"]),
        ("efe7da", "c2562b", ["e8b45a", "8f2d16"]), ("2f3f4a", "e9c66a", ["f6e3a6", "c8922f"]),
        ("f1ece2", "6f8f3e", ["a8c46a", "3f5f22"]), ("4a3a33", "d98b5b", ["f0c39a", "a85a33"]),
        ("e7dfd0", "7a4a2c", ["a97448", "533018"]), ("55706a", "f0e6c8", ["d84e3a", "5f8d3b"]),
    ]
    for i, (rim, food, bits) in enumerate(around):
        angle = math.tau * i / len(around) + 0.2
        dish(p, 640 + 236 * math.cos(angle), 366 + 226 * math.sin(angle), 66, rim, food, bits, chance)
    for x, y, r in [(120, 140, 92), (1165, 600, 104), (1150, 120, 74), (140, 610, 80)]:
        rim, food, bits = chance.choice(around)
        dish(p, x, y, r, rim, food, bits, chance)
    p.save("table")


def jars():
    p = Picture("f6c48f", "f3ddc3")
    p.circle(980, 210, 92, "fff0cf", "ffdf9d")
    p.hills(lambda x: 330 - 70 * math.sin(x / 260) - 26 * math.sin(x / 90), "b9a2a0", "cdb3a2")
    p.hills(lambda x: 400 - 50 * math.sin(x / 330 + 2) - 16 * math.sin(x / 70), "87838a", "9c8d86")
    p.hills(lambda x: 500 - 18 * math.sin(x / 300 + 1), "c7a982", "a9855c")
    for row, (y, scale) in enumerate([(520, 0.72), (595, 0.92), (690, 1.18)]):
        step = 190 * scale
        for i in range(-1, int(W / step) + 2):
            x = i * step + (row * 80)
            r = 78 * scale
            p.ellipse(x, y + r * 0.86, r * 0.95, r * 0.16, "4a3320", alpha=0.35)
            p.ellipse(x, y, r, r * 0.92, "7c4a30", "45261a")
            p.ellipse(x - r * 0.34, y - r * 0.1, r * 0.2, r * 0.5, "b97b55", alpha=0.35)
            p.box(x - r * 0.56, y - r * 0.98, r * 1.12, r * 0.2, r * 0.08, "6a3e28", "4f2d1c")
            p.ellipse(x, y - r * 1.02, r * 0.62, r * 0.18, "8d573a", "6b3f28")
            p.circle(x, y - r * 1.17, r * 0.1, "5b3421")
    p.save("jars")


def lunchbox():
    chance = random.Random(3)
    p = Picture("dfe9e2", "c4d6cb")
    p.box(250, 120, 800, 500, 46, "5f7d70", alpha=0.35)
    p.box(240, 100, 800, 500, 46, "20362e", "172822")
    p.box(262, 122, 756, 456, 32, "8f4434", "7a3527")
    cells = [(280, 140, 350, 250), (646, 140, 170, 120), (832, 140, 168, 120), (646, 276, 354, 114), (280, 406, 220, 154), (516, 406, 240, 154), (772, 406, 228, 154)]
    foods = [("fbf8ef", ["ffffff", "efe9da", "f6f1e4"]), ("7fa33f", ["a9c867", "557a28"]), ("e2b44c", ["f4d98b", "c98f2a"]), ("c85a32", ["e99a63", "8f2f1a"]), ("dfd6c4", ["b78b5c", "8a5f37"]), ("b7422c", ["d9694a", "7d2414"]), ("5d7f45", ["8fb06a", "3e5b2c"])]
    for (x, y, w, h), (food, bits) in zip(cells, foods):
        p.box(x, y, w, h, 18, mix_hex(food, "2b1a12", 0.3))
        p.box(x + 5, y + 7, w - 10, h - 12, 14, food, mix_hex(food, "4a2a18", 0.14))
        for _ in range(w * h // 1500):
            cx, cy = chance.uniform(x + 26, x + w - 26), chance.uniform(y + 26, y + h - 26)
            p.ellipse(cx, cy, chance.uniform(8, 20), chance.uniform(6, 13), chance.choice(bits))
    for i in range(5):
        p.ellipse(380 + i * 44, 226 + 12 * (i % 2), 9, 5, "1f2a22")
    for x in (1092, 1122):
        p.box(x, 90, 14, 540, 7, "9a6a3f", "6f4725")
    p.save("lunchbox")


def kitchen():
    p = Picture("9fc6d8", "e8f0ea")
    p.circle(220, 170, 70, "fff7dd", "ffe9a8")
    for x, y, s in [(700, 130, 1.0), (1040, 210, 0.7), (430, 230, 0.6)]:
        for dx, r in [(-60, 34), (-18, 48), (34, 42), (74, 28)]:
            p.circle(x + dx * s, y, r * s, "ffffff", alpha=0.75)
    p.hills(lambda x: 430 - 60 * math.sin(x / 240 + 1) - 20 * math.sin(x / 80), "8fb39c", "a9c3a3")
    p.hills(lambda x: 560, "8aa66b", "6f8d55")
    p.box(300, 300, 700, 290, 8, "f4f1ea", "e2ddd2")
    p.box(300, 300, 700, 44, 8, "0f6b52", "0c5844")
    p.box(820, 200, 130, 120, 6, "e9e4d8", "d9d2c4")
    p.box(860, 120, 44, 110, 6, "c9c1b2", "b4ab9b")
    for i in range(4):
        p.circle(890 + i * 30, 104 - i * 26, 20 + i * 9, "ffffff", alpha=0.55 - i * 0.1)
    for i in range(5):
        x = 340 + i * 90
        p.box(x, 380, 64, 84, 5, "7fb0c0", "a9cfd8")
        p.box(x + 29, 380, 5, 84, 0, "f4f1ea")
    p.box(806, 420, 150, 170, 6, "3b4a45", "2b3733")
    p.box(822, 436, 118, 80, 4, "8fb9c4", "b9d7dc")
    p.box(0, 588, W, 132, 0, "6d7370", "575d5a")
    for x in range(40, W, 190):
        p.box(x, 650, 96, 8, 4, "e9e7df")
    van(p, 96, 520, 0.9)
    p.save("kitchen")


def van(p, x, y, s):
    p.ellipse(x + 130 * s, y + 122 * s, 150 * s, 12 * s, "20302a", alpha=0.35)
    p.box(x, y, 180 * s, 110 * s, 12 * s, "fdfdfb", "e6e4dc")
    p.box(x + 168 * s, y + 34 * s, 84 * s, 76 * s, 16 * s, "fdfdfb", "e6e4dc")
    p.box(x + 196 * s, y + 44 * s, 44 * s, 32 * s, 7 * s, "7fa9b6", "a6c8cf")
    p.box(x, y + 72 * s, 252 * s, 18 * s, 0, "0f6b52")
    p.circle(x + 62 * s, y + 42 * s, 20 * s, "0f6b52")
    p.box(x + 47 * s, y + 45 * s, 30 * s, 4 * s, 2 * s, "ffffff")
    for wheel in (54, 200):
        p.circle(x + wheel * s, y + 112 * s, 24 * s, "1f2422")
        p.circle(x + wheel * s, y + 112 * s, 10 * s, "c9ccc9")


def fields():
    p = Picture("bfe0e6", "f3efd9")
    p.circle(300, 230, 78, "fff3c9", "ffe094")
    p.hills(lambda x: 320 - 90 * math.sin(x / 300 + 0.6) - 24 * math.sin(x / 100), "8fb0b6", "a9c2b6")
    p.hills(lambda x: 390 - 46 * math.sin(x / 210 + 2.2), "5f9079", "7ba284")
    shades = ["d8c463", "a9bd4f", "c9b84f", "8aad49", "bcbf58", "7aa044"]
    for i, color in enumerate(shades):
        base = 400 + i * i * 9 + i * 16
        p.hills(lambda x, b=base, i=i: b + 16 * math.sin(x / (240 + 30 * i) + i * 1.7), color, mix_hex(color, "3f5a22", 0.35))
    for i in range(26):
        x, y = 40 + (i * 173) % W, 590 + (i * 67) % 120
        for lean in (-10, 0, 10):
            p.ellipse(x + lean, y - 16, 3.4, 20, "4f7a2c", "7fa044")
    p.box(930, 330, 110, 64, 3, "f2ece0", "ddd5c4")
    p.hills(lambda x: 334 - max(0, 52 - abs(x - 985) * 0.72) if 905 < x < 1065 else 9999, "7b4a39", "7b4a39")
    p.box(972, 354, 28, 40, 2, "6a5546")
    p.box(900, 394, 180, 4, 0, "5c7a3c")
    p.save("fields")


def people():
    p = Picture("f3e9dc", "e2cfba")
    for i in range(5):
        p.circle(140 + i * 260, 150, 190, "ffffff", alpha=0.16)
    look = [("2d2320", "e8b995", "0f6b52"), ("5a3a28", "f0c9a6", "c8603a"), ("1f1c1c", "d9a57e", "31485c"), ("3a2a24", "efc4a0", "d8a53c"), ("24201f", "e2b08a", "7a4a6b")]
    for i, (hair, skin, coat) in enumerate(look):
        x, y = 150 + i * 245, 330 + (i % 2) * 26
        p.ellipse(x, y + 6, 92, 104, hair)
        p.box(x - 28, y + 60, 56, 90, 22, mix_hex(skin, "8a5a3c", 0.18))
        p.ellipse(x, y + 14, 74, 86, skin)
        p.ellipse(x, y - 52, 82, 48, hair)
        p.box(x - 122, y + 128, 244, 420, 84, coat, mix_hex(coat, "101010", 0.25))
        p.ellipse(x, y + 128, 34, 22, mix_hex(skin, "8a5a3c", 0.18))
        p.box(x - 66, y + 190, 132, 400, 18, "f7f3ea", "e6dfd1")
        for dx in (-27, 27):
            p.circle(x + dx, y + 16, 6, "2a1f1b")
            p.circle(x + dx * 1.6, y + 44, 13, "e58f78", alpha=0.35)
        p.ellipse(x, y + 54, 20, 9, "a84e3f")
        p.ellipse(x, y + 48, 22, 8, skin)
    p.save("people")


def soup():
    chance = random.Random(11)
    p = Picture("1d3a33", "10231e")
    p.box(0, 560, W, 160, 0, "6b4a33", "4c3120")
    p.ellipse(640, 566, 430, 46, "0a1512", alpha=0.5)
    p.ellipse(640, 420, 380, 190, "e9e2d4", "b8ae9c")
    p.box(520, 560, 240, 40, 18, "b8ae9c", "958b7a")
    p.ellipse(640, 340, 380, 110, "f6f1e6", "ddd5c5")
    p.ellipse(640, 344, 346, 92, "b4502e", "8f3519")
    for _ in range(60):
        angle, away = chance.uniform(0, math.tau), math.sqrt(chance.random())
        x, y = 640 + 310 * away * math.cos(angle), 344 + 74 * away * math.sin(angle)
        p.ellipse(x, y, chance.uniform(8, 26), chance.uniform(4, 11), chance.choice(["f2e6cc", "7fae4f", "e3a04a", "d9cfae", "5f8a3a"]))
    for i, x in enumerate([500, 640, 780]):
        for step in range(11):
            p.circle(x + 26 * math.sin(step * 0.7 + i), 232 - step * 20, 22 - step * 1.1, "ffffff", alpha=0.07)
    p.box(1010, 520, 240, 12, 6, "caa070", "a67c4e")
    p.box(1000, 545, 240, 12, 6, "caa070", "a67c4e")
    p.save("soup")


for draw in (table, jars, lunchbox, kitchen, fields, people, soup):
    draw()
