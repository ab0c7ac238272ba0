from django.urls import include, path
from wagtail import urls

urlpatterns = [path("", include(urls))]
