"""Creates the database and its posts: `fill.py COUNT TITLE CONTENTS`."""

import os
import sys

import django
import markdown

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
django.setup()

from blog.models import Post, PostList  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402
from wagtail.models import Page, Site  # noqa: E402

call_command("migrate", verbosity=0)
count, title, contents = int(sys.argv[1]), sys.argv[2], markdown.markdown(sys.argv[3])
Site.objects.all().delete()
Page.objects.filter(depth__gt=1).delete()
home = Page.objects.get(depth=1).add_child(instance=Page(title="Home", slug="home-page"))
Site.objects.create(hostname="127.0.0.1", root_page=home, is_default_site=True)
posts = home.add_child(instance=PostList(title="Posts", slug="posts"))
for number in range(count):
    names = {"title": f"{title} {number}", "slug": f"post-{number}"}
    post = Post(**names, author="u001", contents=contents, first_published_at=timezone.now())
    posts.add_child(instance=post)
