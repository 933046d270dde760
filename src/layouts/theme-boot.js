const root = document.documentElement;
root.dataset.who = 'visitor';
try {
  if (localStorage.getItem('theme') === 'light') root.dataset.theme = 'light';
  const who = localStorage.getItem('who');
  if (who === 'guest' || who === 'account') root.dataset.who = who;
  if (localStorage.getItem('mark-drawn') === null) root.dataset.firstVisit = '';
  localStorage.setItem('mark-drawn', '1');
} catch {}
addEventListener('pagereveal', ({ viewTransition }) => viewTransition?.ready.catch(() => {}));
root.dataset.whoFirst = root.dataset.who;
addEventListener('click', ({ target }) => {
  window.earlyTap =
    target.closest?.(
      '[data-menu-open], [data-sign-in], [data-choice], [data-hide-choice] button, [data-logout], [data-spicy-switch]',
    ) ?? window.earlyTap;
});
