import django.db.models.deletion
import wagtail.fields
from django.db import migrations, models


def page():
    options = {"auto_created": True, "parent_link": True, "primary_key": True, "serialize": False, "to": "wagtailcore.page"}
    return ("page_ptr", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, **options))


class Migration(migrations.Migration):
    initial = True
    dependencies = [("wagtailcore", "__latest__")]
    operations = [
        migrations.CreateModel("PostList", [page()], {"abstract": False}, bases=("wagtailcore.page",)),
        migrations.CreateModel(
            "Post",
            [page(), ("author", models.CharField(max_length=80)), ("contents", wagtail.fields.RichTextField())],
            {"abstract": False},
            bases=("wagtailcore.page",),
        ),
    ]
