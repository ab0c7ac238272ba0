"""Makes a PDF file of text (`make COUNT FILE`), and prints the text of one (`pypdf FILE`, `pdfminer FILE`)."""

import sys


def make(count, path):
    import os
    import random

    import reportlab
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    fonts = os.path.join(os.path.dirname(reportlab.__file__), "fonts")
    pdfmetrics.registerFont(TTFont("Vera", os.path.join(fonts, "Vera.ttf")))
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 11))) for _ in range(3000)]
    canvas = Canvas(path, pagesize=A4, pageCompression=1)
    for page in range(count):
        canvas.setFont("Vera", 16)
        canvas.drawString(60, 780, f"Chapter {page} page{page:04}end")
        text = canvas.beginText(60, 750)
        for line in range(48):
            text.setFont("Vera" if line % 3 else "Helvetica", 10)
            text.textLine(" ".join(chance.choices(words, k=11)))
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()


def pypdf(path):
    from pypdf import PdfReader

    for page in PdfReader(path).pages:
        print(page.extract_text())


def pdfminer(path):
    from pdfminer.high_level import extract_text_to_fp
    from pdfminer.layout import LAParams

    with open(path, "rb") as file:
        extract_text_to_fp(file, sys.stdout.buffer, laparams=LAParams())


if sys.argv[1] == "make":
    make(int(sys.argv[2]), sys.argv[3])
else:
    {"pypdf": pypdf, "pdfminer": pdfminer}[sys.argv[1]](sys.argv[2])
