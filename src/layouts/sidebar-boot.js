try {
  const root = document.documentElement;
  const part = (name) => document.querySelector(`[data-${name}]`);
  const clone = (name) => part(`template="${name}"`).content.cloneNode(true).firstElementChild;
  const local = (path) => (/^\/(?![/\\])/.test(path) ? path : '/');
  part('theme-switch').ariaChecked = String(root.dataset.theme !== 'light');
  const open = new URLSearchParams(location.search).get('conversation_id');
  const copy = root.dataset.who !== 'visitor' && JSON.parse(localStorage.getItem('copy:shell'));
  if (copy && copy.lang === root.lang) {
    const spicy = part('spicy-switch');
    if (spicy) spicy.ariaChecked = String(localStorage.getItem('spicy-mode') === 'true');
    const [name, line, picture] = copy.profile;
    part('profile-name').textContent = name;
    part('profile-line').textContent = line;
    if (picture)
      part('profile-avatar').append(Object.assign(new Image(36, 36), { alt: '', src: local(picture) }));
    else part('profile-avatar').textContent = [...name][0].toUpperCase();
    const drawRow = ([href, src, at, unread, ...texts]) => {
      const item = clone('chat');
      const find = (selector) => item.querySelector(selector);
      find('a').href = local(href);
      if (open && href.includes(open)) find('a').ariaCurrent = 'page';
      find('img').src = local(src);
      ['[data-name]', '[data-title]', 'time', 'bdi', '[data-line]'].forEach((selector, place) => {
        find(selector).textContent = texts[place];
      });
      find('time').dateTime = at;
      find('[data-branch]').hidden = !texts[3];
      find('[data-unread]').hidden = !unread;
      return item;
    };
    const groups = copy.groups.map(([label, characters]) => {
      const group = clone('group');
      const heading = group.querySelector('h3');
      heading.textContent = label;
      group.replaceChildren(heading);
      for (const [rows, more] of characters) {
        const character = clone('character');
        character.querySelector('ul').append(...rows.map(drawRow));
        const button = character.querySelector('button');
        button.textContent = more;
        button.hidden = !more;
        group.append(character);
      }
      return group;
    });
    part('history-list').append(...groups);
  }
} catch {}
