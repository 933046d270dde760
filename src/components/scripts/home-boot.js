try {
  const { dataset, lang } = document.documentElement;
  const age = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
  window.drawHome = (chats) =>
    document.querySelectorAll('[data-home-chat]').forEach((link, place) => {
      link.hidden = !chats[place];
      if (link.hidden) return;
      const [href, src, name, text, at] = chats[place];
      const days = (Date.parse(at) - Date.now()) / 864e5;
      const [title, line, time] = link.querySelectorAll('[data-line]');
      link.href = href.match(/^\/\w.*/)[0];
      link.querySelector('img').src = src;
      title.textContent = title.dataset.line.replace('%', () => name);
      line.textContent = text;
      time.textContent = age.format(
        ...(days > -1 ? [Math.round(days * 24), 'hour'] : [Math.round(days), 'day']),
      );
    });
  const { home } = JSON.parse(localStorage.getItem('copy:shell'));
  if (dataset.who !== 'visitor' && home[0]) {
    drawHome(home);
    dataset.home = 'returning';
  }
} catch {}
