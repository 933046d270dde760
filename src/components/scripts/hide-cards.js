{
  let hidden = null;
  const isList = (list) => Array.isArray(list?.tags) && Array.isArray(list.creators);
  try {
    const kept = JSON.parse(localStorage.getItem('hidden:list'));
    if (document.documentElement.dataset.who === 'account' && isList(kept)) hidden = kept;
  } catch {}
  const isAway = ({ creator, tags = '' }, except) =>
    hidden !== null &&
    (hidden.creators.some(({ id }) => id === creator) ||
      tags.split(' ').some((tag) => tag !== except && hidden.tags.includes(tag)));
  const mark = () => {
    for (const list of document.querySelectorAll('[data-hides]')) {
      for (const item of list.children) {
        const card = item.firstElementChild;
        if (card) item.toggleAttribute('data-away', isAway(card.dataset, list.dataset.hides));
      }
    }
    dispatchEvent(new Event('loreloom:marked'));
  };
  new MutationObserver(mark).observe(document, { childList: true, subtree: true });
  window.hideCards = {
    use: (list) => {
      hidden = list;
      mark();
    },
    mark,
  };
}
