"""The scope of a question: chosen beside it, remembered for the next one, and shown by the run and its report."""

import pytest

from research.db.tenancy import tenant_context
from research.library.change_library_documents import rename_folder
from research.library.sample.sample_library_listing import load_suggested_questions
from research.library.sample.sample_library_progress import hold_preparation_lock
from research.models import LibraryDocument, Run
from research.pipelines.report.report_follow_up import start_follow_up
from research.runs.rerun import rerun
from tests.people import join
from tests.web.pages import tree, words
from tests.worlds import finish

QUESTION = "How long must a password be in 2025?"
PAGES = ("/", "/runs/new/", "/technical/", "/schedules/new/")


def add(person, folder, *names, status="ready"):
    with tenant_context(person.tenant.pk):
        for name in names or ("a.txt",):
            code = "empty" if status == "failed" else ""
            LibraryDocument.objects.create(folder=folder, path=name, status=status, error_code=code)


def remove(person, folder):
    with tenant_context(person.tenant.pk):
        LibraryDocument.objects.filter(folder=folder).delete()


def ask(client, *folders, question=QUESTION):
    return client.post("/runs/new/", {"question": question, "folders": folders})


def run_of(person):
    with tenant_context(person.tenant.pk):
        return Run.objects.order_by("-created_at")[0]


def list_ticked(client, page="/"):
    return tree(client.get(page)).xpath("//input[@name='folders'][@checked]/@value")


def read_scope_words(client, page="/"):
    (found,) = tree(client.get(page)).xpath("//*[@data-scope-words]")
    return " ".join(found.text_content().split())


@pytest.mark.parametrize("page", PAGES)
def test_the_sample_library_is_asked_where_there_is_nothing_else(client, ada, page):
    add(ada, "sample", "a.txt", "b.txt")
    assert (list_ticked(client, page), read_scope_words(client, page)) == (
        ["sample"],
        "Sample library (2 documents)",
    )


@pytest.mark.parametrize("page", PAGES)
def test_own_documents_are_asked_without_the_sample_once_there_are_some(client, ada, page):
    for folder in ("sample", "uploads", "uploads/Contracts"):
        add(ada, folder)
    assert list_ticked(client, page) == ["uploads", "uploads/Contracts"]
    assert read_scope_words(client, page) == "Uploads (1 document), Contracts (1 document)"


def test_boxes_have_labels_in_a_group_with_a_name(client, ada):
    add(ada, "sample")
    (group,) = tree(client.get("/")).xpath("//fieldset[@id='id_folders']")
    assert group.xpath("./legend")[0].text_content() == "Folders to search"
    assert group.xpath(f"//*[@id='{group.get('aria-describedby')}']")
    assert len(group.xpath(".//label//input")) == len(group.xpath(".//input"))


def test_the_choice_is_kept_for_the_next_question_of_the_same_person(client, ada):
    for folder in ("sample", "uploads", "uploads/Contracts"):
        add(ada, folder)
    ask(client, "sample", "uploads/Contracts")
    assert run_of(ada).config == {"folders": ["sample", "uploads/Contracts"]}
    assert {tuple(list_ticked(client, page)) for page in PAGES} == {("sample", "uploads/Contracts")}
    other = join("eve", tenant=ada.tenant)
    assert list_ticked(other.sign_in()) == ["uploads", "uploads/Contracts"]


def test_what_is_added_later_does_not_join_by_itself(client, ada):
    add(ada, "uploads/Contracts")
    ask(client, "uploads/Contracts")
    add(ada, "/srv/papers", "a.txt", "b.txt")
    assert list_ticked(client) == ["uploads/Contracts"]
    assert "papers (2 documents)" in words(client.get("/"))


def test_the_sample_library_gives_way_to_the_first_own_documents(client, ada):
    add(ada, "sample")
    ask(client, "sample")
    add(ada, "uploads/Contracts")
    assert list_ticked(client) == ["uploads/Contracts"]
    ask(client, "sample")
    assert list_ticked(client) == ["sample"]  # chosen beside others


def test_a_suggested_question_is_no_choice(client, ada):
    add(ada, "sample")
    add(ada, "uploads")
    ask(client, "sample", question=load_suggested_questions()[0].question)
    assert list_ticked(client) == ["uploads"]


@pytest.mark.parametrize("chosen", [["all"], ["all", "sample"], []])
def test_the_whole_library_is_told_by_name(client, ada, chosen):
    add(ada, "sample")
    add(ada, "uploads/Contracts")
    ask(client, *chosen)
    assert run_of(ada).config == {}
    assert list_ticked(client) == ["all"]
    assert read_scope_words(client) == "The whole library (2 documents): Sample library, Contracts"


def test_folders_of_one_name_are_shown_with_their_paths(client, ada):
    add(ada, "/srv/papers")
    add(ada, "/home/papers")
    assert read_scope_words(client) == "/home/papers (1 document), /srv/papers (1 document)"


@pytest.mark.parametrize("folder", ["uploads/Nothing", "/etc", "uploads/Broken", "uploads/Others"])
def test_a_folder_without_documents_of_ones_own_is_refused_beside_the_boxes(client, ada, folder):
    add(ada, "sample")
    add(ada, "uploads/Broken", status="failed")
    add(join("bob"), "uploads/Others")
    response = ask(client, folder)
    assert response.status_code == 422
    assert tree(response).xpath("//*[@id='error-summary']//a/@href") == ["#id_folders"]
    (scope,) = tree(response).xpath("//details[@class='scope'][@open]")
    assert f"no folder “{folder}”" in scope.text_content()


@pytest.mark.parametrize("page", ["run", "report"])
def test_run_and_report_say_what_was_searched(client, ada, page):
    add(ada, "sample", "a.txt", "b.txt")
    add(ada, "uploads/Contracts")
    ask(client, "sample", "uploads/Contracts")
    run = run_of(ada)
    with tenant_context(ada.tenant.pk):
        finish(run, "completed")
    add(ada, "sample", "c.txt")
    address = f"/runs/{run.pk}/" + ("report/" if page == "report" else "")
    assert "Searched: Sample library, Contracts; 3 documents" in words(client.get(address))


def test_asking_again_begins_with_the_same_folders_and_names_those_that_are_gone(client, ada):
    for folder in ("sample", "uploads", "uploads/Contracts"):
        add(ada, folder)
    ask(client, "sample", "uploads/Contracts")
    again = f"/runs/new/?again={run_of(ada).pk}"
    assert list_ticked(client, again) == ["sample", "uploads/Contracts"]
    remove(ada, "uploads/Contracts")
    assert list_ticked(client, again) == ["sample"]
    assert "No document is left in: Contracts" in words(client.get(again))


def test_a_rerun_and_a_follow_up_keep_the_folders_or_say_which_is_gone(client, ada):
    add(ada, "sample")
    add(ada, "uploads/Contracts")
    ask(client, "uploads/Contracts")
    run = run_of(ada)
    with tenant_context(ada.tenant.pk):
        finish(run, "completed")
        rename_folder("uploads/Contracts", "Leases")
        run.refresh_from_db()
        children = [rerun(run, ada.user), start_follow_up(run, ada.user, "And a PIN?")]
    assert [child.config["folders"] for child in children] == [["uploads/Leases"]] * 2
    assert [child.searched["folders"] for child in children] == [
        [{"key": "uploads/Leases", "documents": 1}]
    ] * 2
    remove(ada, "uploads/Leases")
    page = words(client.post(f"/runs/{run.pk}/rerun/", {"key": "k"}, follow=True))
    assert "no folder “uploads/Leases”. There are: Sample library" in page


def test_folders_that_come_while_the_first_page_is_open_are_offered_unticked(client, ada):
    add(ada, "sample")
    with hold_preparation_lock():
        (poll,) = tree(client.get("/")).xpath("//*[@id='poll']/@hx-get")
        add(ada, "uploads")
        part = client.get(f"{poll}&folders=sample", headers={"HX-Request": "true"})
    assert tree(part).xpath("//input[@type='checkbox']/@value") == ["all", "sample", "uploads"]
    assert tree(part).xpath("//input[@checked]/@value") == ["sample"]
