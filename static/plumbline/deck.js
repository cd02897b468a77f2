// Keys of a deck: j and k to the next and the previous slide, e to its words, f to its files.
(() => {
  const follow = (selector) => {
    const link = document.querySelector(selector);
    if (link) location.assign(link.href);
    return Boolean(link);
  };

  const focus = (selector) => {
    const element = document.querySelector(selector);
    element?.scrollIntoView({ block: "center" });
    element?.focus({ preventScroll: true });
    return Boolean(element);
  };

  window.onSingleKey((key) => {
    switch (key) {
      case "j":
        return follow(".slide-bar [rel=next]");
      case "k":
        return follow(".slide-bar [rel=prev]");
      case "e":
        return focus("#words input:not([type=hidden]), #words textarea");
      case "f":
        return focus("#files a, #files button");
      default:
        return false;
    }
  });

  // The slide that is shown stands in the strip where it can be seen.
  const here = document.querySelector(".strip [aria-current]");
  const strip = document.querySelector(".strip");
  if (here && strip) {
    strip.scrollTop = here.offsetTop - strip.clientHeight / 2;
    strip.scrollLeft = here.offsetLeft - strip.clientWidth / 2;
  }
})();
