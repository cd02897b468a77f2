"""The form that requests a brief: from a file, pasted JSON or the id of a task, with the brief's purpose."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from research.models import Run, TaskState, WatchedTask
from research.pipelines.brief.brief_config import MAX_CONTEXT_LENGTH, BriefConfig, BriefContext
from research.pipelines.brief.start_brief import BriefInput, BriefRefused, read_file, start_brief
from research.pipelines.brief.tasks.brief_watched_tasks import TaskProgress, watch
from research.pipelines.brief.tasks.parse_brief_task_result import LARGEST
from research.pipelines.report.report_config import ConfigError
from research.web.ask.ask_question_form import key_of
from research.web.ask.run_kind_pages import FormRefused, KindForm

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

MAX_AWAITED = 20
CONTEXT = ("original_query", "content_type", "existing_content", "user_comments", "content_id")


class BriefForm(KindForm):
    file = forms.FileField(
        label=_("The result as a file"),
        required=False,
        help_text=_("JSON as returned by Parallel, at most 1 MB."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    text = forms.CharField(
        label=_("… or pasted"),
        required=False,
        max_length=LARGEST,
        widget=forms.Textarea(
            attrs={"rows": 4, "spellcheck": "false", "placeholder": '{"run_id": "trun_…", …}'}
        ),
    )
    task = forms.CharField(
        label=_("… or the ID of a Parallel task"),
        required=False,
        max_length=200,
        help_text=_(
            "The result is fetched when the task has ended. The workspace’s key for Parallel is set under "
            "Webhooks."
        ),
        widget=forms.TextInput(attrs={"placeholder": "trun_…", "autocomplete": "off"}),
    )
    original_query = forms.CharField(
        label=_("What was asked"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    content_type = forms.ChoiceField(
        label=_("What the brief is for"),
        choices=[
            ("text", _("A text: it is sent to the service that rewrites it")),
            (
                "image",
                _("An image: edits of its prompt are suggested, and sent to the service that makes it"),
            ),
        ],
        initial="text",
        widget=forms.RadioSelect,
    )
    existing_content = forms.CharField(
        label=_("The content as it is"),
        required=False,
        max_length=MAX_CONTEXT_LENGTH,
        help_text=_("For an image, the prompt that it was made with, so that edits can be suggested."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    user_comments = forms.CharField(
        label=_("Comments on it"),
        required=False,
        max_length=MAX_CONTEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    content_id = forms.CharField(
        label=_("ID of the content, sent with the brief"), required=False, max_length=200
    )

    @classmethod
    def load_pending_requests(cls) -> Sequence[WatchedTask]:
        """Return tasks that were named or reported and have not ended, or failed."""
        rows = WatchedTask.objects.exclude(state=TaskState.TAKEN_IN)
        return list(rows.order_by("-created_at")[:MAX_AWAITED])

    @classmethod
    def again(cls, run: Run) -> Mapping[str, object]:
        import json

        config = BriefConfig.model_validate(run.config)
        text = json.dumps(config.result, ensure_ascii=False, indent=2)
        return {"text": text, **config.context.model_dump(mode="json")}

    def clean_file(self) -> "UploadedFile[bytes] | None":
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > LARGEST:
            message = gettext("The file has %(size)d KB; the limit is %(most)d KB.")
            raise forms.ValidationError(message % {"size": (file.size or 0) // 1000, "most": LARGEST // 1000})
        return file

    def clean(self) -> None:
        super().clean()
        given = [name for name in ("file", "text", "task") if self.cleaned_data.get(name)]
        if not given and not self.errors:
            self.add_error("file", gettext("Choose a file, paste the result, or enter a task ID."))
        if len(given) > 1:
            self.add_error(None, gettext("Use only one of these: a file, the pasted result, or a task ID."))

    def start(self, owner: User) -> Run | TaskProgress:
        cleaned, context = self.cleaned_data, self._context()
        if cleaned["task"]:
            try:
                return watch(cleaned["task"], owner, context, arrived="run_id")
            except BriefRefused as refusal:
                raise FormRefused(str(refusal), "task") from refusal
        field = "file" if cleaned["file"] else "text"
        try:
            asked = self._read_input(context)
            key = key_of(cleaned["client_key"], context.original_query, asked.model_dump(mode="json"))
            return start_brief(owner=owner, asked=asked, config={}, client_key=key)
        except (BriefRefused, ConfigError) as refusal:
            raise FormRefused(str(refusal), field) from refusal

    def _context(self) -> BriefContext:
        return BriefContext(**{name: self.cleaned_data[name] or "" for name in CONTEXT})

    def _read_input(self, context: BriefContext) -> BriefInput:
        """Return the input from the file or the pasted text; a context typed in the form overrides the file's."""
        file = self.cleaned_data["file"]
        data = file.read() if file else self.cleaned_data["text"].encode()
        asked = read_file(file.name if file else "", data)
        is_typed = context != BriefContext()
        return asked.model_copy(update={"context": context}) if is_typed else asked
