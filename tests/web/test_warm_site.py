"""The site loads its code before the first visitor comes."""

import subprocess
import sys

import pytest
from django.conf import settings

from tests.people import join

# In a process of its own: others have loaded everything already.
FIRST_VISIT = """
import sys
import config.asgi
from django.contrib.auth.models import User
from django.template.base import Template
from django.test import Client

visitor = Client()
visitor.force_login(User.objects.get(username="ada"))
loaded, compiled = set(sys.modules), []
compile_one = Template.compile_nodelist

def watched(template):
    compiled.append(template.name)
    return compile_one(template)

Template.compile_nodelist = watched
for path in ("/", "/runs/", "/runs/new/", "/library/", "/account/"):
    assert visitor.get(path).status_code == 200, path
ours = ("config.", "research.", "citations.", "exports.", "slides.")
print(*compiled, *(name for name in sorted(set(sys.modules) - loaded) if name.startswith(ours)))
"""


@pytest.mark.django_db(transaction=True)
def test_the_first_visitor_waits_for_no_view_and_no_template(child_environment):
    join("ada")
    done = subprocess.run(
        [sys.executable, "-c", FIRST_VISIT],
        cwd=settings.BASE_DIR,
        env=child_environment | {"ALLOWED_HOSTS": "testserver"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr
