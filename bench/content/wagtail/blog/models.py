from django.db import models
from wagtail.fields import RichTextField
from wagtail.models import Page

PAGE = 12


class PostList(Page):
    def get_context(self, request):
        context = super().get_context(request)
        context["posts"] = Post.objects.child_of(self).live().order_by("-first_published_at")[:PAGE]
        return context


class Post(Page):
    author = models.CharField(max_length=80)
    contents = RichTextField()
