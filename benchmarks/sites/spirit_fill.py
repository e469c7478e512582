"""Publishes, edits and removes topics of a Spirit forum as a JSON file says; prints the address of each. Run by its own Python."""

import json
import os
import sys
from datetime import datetime
from hashlib import md5
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path.cwd()))
os.environ["DJANGO_SETTINGS_MODULE"] = "mysite.settings.dev"

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from spirit.category.models import Category  # noqa: E402
from spirit.comment.models import Comment  # noqa: E402
from spirit.comment.utils import post_comment_update, pre_comment_update  # noqa: E402
from spirit.core.utils.markdown import Markdown  # noqa: E402
from spirit.topic.models import Topic  # noqa: E402


def moment(told):
    return datetime.fromisoformat(told).replace(tzinfo=ZoneInfo("Europe/Budapest"))


def user_named(name):
    login = md5(name.encode()).hexdigest()
    user, is_new = get_user_model().objects.get_or_create(username=login, defaults={"email": f"{login}@naplo.example"})
    if is_new:
        user.st.nickname = name
        user.st.save()
    return user


def write(topic, author, text, date):
    comment = Comment.objects.create(user=user_named(author), topic=topic, comment=text, comment_html=Markdown().render(text), date=date)
    topic.increase_comment_count()
    Topic.objects.filter(pk=topic.pk).update(last_active=date)
    return comment


def put(post):
    topic = Topic.objects.filter(pk=post["number"]).first()
    if topic is None:
        section, _ = Category.objects.get_or_create(title=post["section"])
        date = moment(post["date"])
        topic = Topic.objects.create(
            pk=post["number"], user=user_named(post["author"]), category=section, title=post["title"], date=date, last_active=date
        )
        write(topic, post["author"], post["text"], date)
    first, *others = Comment.objects.filter(topic=topic).order_by("date", "pk")
    if first.comment != post["text"]:
        pre_comment_update(first)
        Topic.objects.filter(pk=topic.pk).update(title=post["title"])
        first.comment, first.comment_html = post["text"], Markdown().render(post["text"])
        first.save()
        post_comment_update(first)
    for comment in post["comments"][len(others) :]:
        write(topic, comment["author"], comment["text"], moment(comment["date"]))
    return topic.get_absolute_url()


told = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
urls = {post["number"]: put(post) for post in told["posts"]}
Topic.objects.filter(pk__in=told["removed"]).update(is_removed=True)
print(json.dumps(urls))
