// The library without waiting: files go a few at a time with their progress, can be dropped, and deleting asks in a dialog.
// Without it the same forms and links do the same.
(() => {
  const form = document.getElementById("upload-form");

  // Deleting: the link leads to a page that asks; here the dialog does.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-dialog]");
    const dialog = link && document.getElementById(link.dataset.dialog);
    if (!dialog || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    dialog.showModal();
  });

  if (!form) return;
  const field = form.querySelector("[type=file]");
  const drop = form.querySelector(".drop");
  const list = document.querySelector("#uploads ul");
  const status = document.querySelector("#uploads [role=status]");
  const queue = [];
  let done = 0;
  let total = 0;
  let isSending = false;
  let shown = location.href;
  const MOST_BYTES_AT_ONCE = 4_000_000;

  const say = () => {
    status.textContent = form.dataset.of.replace("{done}", done).replace("{total}", total);
  };

  const rowFor = (name) => {
    const row = document.getElementById("upload-row").content.cloneNode(true).firstElementChild;
    row.querySelector(".upload-name").textContent = name;
    list.append(row);
    return row;
  };

  const tell = (row, told) => {
    row.querySelector("progress").remove();
    const place = row.querySelector(".upload-told");
    if (typeof told === "string") {
      place.textContent = told;
      place.classList.add("error-text");
    } else {
      place.replaceChildren(...told);
    }
  };

  const refreshList = async () => {
    const answer = await fetch(shown, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [now, before] = [page.getElementById("document-list"), document.getElementById("document-list")];
    if (!now || !before) return;
    before.replaceWith(now);
    history.replaceState(null, "", shown);
    window.htmx?.process(now);
  };

  // Seconds after which the server takes more, where it was asked too often; 0 where it was not.
  const patience = (request) =>
    request.status === 429 ? Math.max(1, Number(request.getResponseHeader("Retry-After")) || 1) : 0;

  // What the server says: of each file in turn, or of all of them at once.
  const tellAll = (batch, words) =>
    batch.forEach(([, , row], place) => {
      const own = words.length === batch.length ? [words[place]] : words.map((one) => one.cloneNode(true));
      tell(row, own.length ? own : form.dataset.broken);
    });

  // Bytes go up with their progress, which fetch cannot tell. Very many files are more requests than a minute has: the
  // queue waits as long as it is told to.
  const send = (batch) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      const body = new FormData();
      body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
      body.set("folder", batch[0][1]);
      for (const [file] of batch) body.append("documents", file);
      request.upload.addEventListener("progress", (event) => {
        if (!event.lengthComputable) return;
        for (const [, , row] of batch) row.querySelector("progress").value = (100 * event.loaded) / event.total;
      });
      request.addEventListener("error", () => resolve(tellAll(batch, [])));
      request.addEventListener("load", () => {
        const wait = patience(request);
        if (wait) {
          setTimeout(() => resolve(send(batch)), 1000 * wait);
          return;
        }
        const answer = new DOMParser().parseFromString(request.responseText, "text/html");
        const said = answer.querySelector("[data-list]");
        if (said) shown = new URL(said.dataset.list, location).href;
        resolve(
          tellAll(batch, [...answer.querySelectorAll(request.status === 413 ? "main p" : ".good-text, .error-text")]),
        );
      });
      request.open("POST", form.action);
      request.setRequestHeader("HX-Request", "true");
      request.send(body);
    });

  // As many files as a request may have, and no more bytes than show their progress; a large one goes alone.
  const nextBatch = () => {
    const batch = [queue.shift()];
    let bytes = batch[0][0].size;
    while (queue.length && batch.length < Number(form.dataset.mostFiles) && queue[0][1] === batch[0][1]) {
      bytes += queue[0][0].size;
      if (bytes > MOST_BYTES_AT_ONCE) break;
      batch.push(queue.shift());
    }
    return batch;
  };

  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    while (queue.length) {
      const batch = nextBatch();
      await send(batch);
      done += batch.length;
      say();
      await refreshList();
    }
    isSending = false;
  };

  const take = (files) => {
    const folder = form.elements.folder.value;
    document.getElementById("uploads").hidden = false;
    for (const file of files) {
      const row = rowFor(file.name);
      total += 1;
      if (file.size > Number(form.dataset.mostBytes)) {
        done += 1;
        tell(row, form.dataset.tooLarge);
      } else {
        queue.push([file, folder, row]);
      }
    }
    say();
    sendAll();
  };

  const sayNoFiles = () => {
    document.getElementById("uploads").hidden = false;
    status.textContent = form.dataset.noFiles;
  };

  form.addEventListener("submit", (event) => {
    if (!field.files.length) return; // the server says what is missing
    event.preventDefault();
    take([...field.files]);
    field.value = "";
  });

  drop.querySelector(".drop-hint").hidden = false;
  document.addEventListener("dragenter", () => {
    form.closest("details").open = true;
  });
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const files = [...event.dataTransfer.items].filter((item) => item.webkitGetAsEntry?.()?.isFile !== false);
    const given = files.map((item) => item.getAsFile()).filter(Boolean);
    if (given.length) take(given);
    else sayNoFiles();
  });
})();
