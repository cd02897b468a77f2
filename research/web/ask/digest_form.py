"""The form that requests a digest: of a discussion in a file or pasted, or of a Reddit search for a question."""

from collections.abc import Mapping

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from research.models import Run
from research.pipelines.common.pipeline_input_errors import InputRefused
from research.pipelines.digest.digest_config import DigestConfig, DigestLimits
from research.pipelines.digest.fetched_digest_discussion import MAX_BYTES
from research.pipelines.digest.start_digest import DigestInput, read_file, start_digest
from research.pipelines.report.report_config import ConfigError
from research.runs.start_and_cancel import InvalidTopic
from research.web.ask.ask_question_form import key_of
from research.web.ask.run_kind_pages import FormRefused, KindForm
from research.web.site.uploaded_form_file import read_uploaded_file

_LIMITS = DigestLimits()


class DigestForm(KindForm):
    file = forms.FileField(
        label=_("The discussion, as a file"),
        required=False,
        help_text=_("JSON as forum tools save it: “query”, and “posts” with their comments."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        error_messages={"empty": _("The file is empty.")},
    )
    text = forms.CharField(
        label=_("… or pasted"),
        required=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "ltr", "spellcheck": "false"}),
    )
    question = forms.CharField(
        label=_("… or a question that is put to Reddit"),
        required=False,
        max_length=400,
        help_text=_("Posts that Reddit finds for it are fetched with their comments."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    max_posts = forms.IntegerField(
        label=_("Posts to read at most"),
        min_value=1,
        max_value=100,
        initial=_LIMITS.max_posts,
        required=False,
    )
    summary_chars = forms.IntegerField(
        label=_("Characters of the summary"),
        min_value=100,
        max_value=5_000,
        initial=_LIMITS.summary_chars,
        required=False,
    )

    @classmethod
    def again(cls, run: Run) -> Mapping[str, object]:
        config = DigestConfig.model_validate(run.config)
        whole = {
            "query": run.topic,
            "plan_id": config.plan_id,
            "posts": [post.model_dump(mode="json", exclude_defaults=True) for post in config.posts],
        }
        import json

        given = (
            {"question": run.topic} if config.provider else {"text": json.dumps(whole, ensure_ascii=False)}
        )
        limits = {"max_posts": config.limits.max_posts, "summary_chars": config.limits.summary_chars}
        return {**given, **limits}

    def clean_file(self) -> tuple[str, bytes] | None:
        return read_uploaded_file(self.cleaned_data["file"], MAX_BYTES)

    def clean(self) -> None:
        given = [name for name in ("file", "text", "question") if self.cleaned_data.get(name)]
        if not given and not self.errors:
            self.add_error("file", gettext("Give a discussion: a file, pasted, or a question for Reddit."))
        if len(given) > 1:
            self.add_error(given[1], gettext("Give the discussion in one way, not in several."))

    def start(self, owner: User) -> Run:
        """Start the run. Raises FormRefused, InvalidTopic and StartRefused."""
        limits = {
            name: value for name in ("max_posts", "summary_chars") if (value := self.cleaned_data[name])
        }
        question = self.cleaned_data["question"]
        try:
            asked = DigestInput(query=question) if question else self._read()
            config = {**limits, **({"provider": "reddit"} if question else {})}
            key = key_of(
                self.cleaned_data["client_key"], str(asked.query), asked.model_dump(mode="json") | config
            )
            return start_digest(owner=owner, asked=asked, config=config, client_key=key)
        except InputRefused as error:
            raise FormRefused(error.message, self._given_field) from error
        except (ConfigError, InvalidTopic) as error:
            raise FormRefused(str(error), self._given_field) from error

    @property
    def _given_field(self) -> str:
        return next(name for name in ("file", "text", "question") if self.cleaned_data.get(name))

    def _read(self) -> DigestInput:
        """Read the input. Raises InputRefused."""
        name, data = self.cleaned_data["file"] or ("", self.cleaned_data["text"].encode())
        return read_file(name, data)
