import type { SearchSuggestions } from '../../features/character/contract.ts';

/*
 * Suggestions under the catalogue's search field, as a combobox with a list (ARIA Authoring Practices): arrow keys choose
 * one, Enter opens it, Escape closes the list. Without this script the field searches when it is submitted.
 */

/** In milliseconds; far below it, a request would be sent for each letter of a fast typist. */
const TYPING_PAUSE_MS = 200;
const MIN_CHARS = 2;
const LIST_ID = 'search-suggestions';

interface Suggestion {
  label: string;
  href: string;
  picture?: string;
  language?: string | null;
}

/** Suggests characters and tags under a search field. */
export function setUpSearchSuggestions(input: HTMLInputElement): void {
  const { suggest = '', tagLabel = '{tag}' } = input.dataset;
  const lang = document.documentElement.lang;
  const list = document.createElement('ul');
  list.id = LIST_ID;
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', suggest);
  list.hidden = true;
  input.insertAdjacentElement('afterend', list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', LIST_ID);
  input.setAttribute('aria-expanded', 'false');

  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | null = null;
  let active = -1;
  const options = () => [...list.children] as HTMLElement[];

  const activate = (index: number) => {
    active = index;
    for (const [place, option] of options().entries())
      option.setAttribute('aria-selected', String(place === index));
    const chosen = options()[index];
    chosen?.scrollIntoView({ block: 'nearest' });
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const close = () => {
    clearTimeout(timer);
    request?.abort();
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    activate(-1);
  };
  const show = (suggestions: readonly Suggestion[]) => {
    list.replaceChildren(...suggestions.map(createOption));
    if (suggestions.length === 0 || document.activeElement !== input) return close();
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    activate(-1);
  };
  const load = async () => {
    request?.abort();
    const q = input.value.trim();
    if (q.length < MIN_CHARS) return show([]);
    request = new AbortController();
    const { signal } = request;
    try {
      const answer = await fetch(`/api/characters/suggestions?${new URLSearchParams({ q })}`, { signal });
      if (!answer.ok) return show([]);
      const { characters, free_tags } = (await answer.json()) as SearchSuggestions;
      show([
        ...characters.map(({ id, name, avatar_url, language }) => ({
          label: name,
          href: `/${lang}/character-info/${encodeURIComponent(id)}`,
          picture: avatar_url,
          language,
        })),
        ...free_tags.map((tag) => ({
          label: tagLabel.replace('{tag}', () => tag),
          href: `/${lang}/discover?${new URLSearchParams({ include: tag })}`,
        })),
      ]);
    } catch {
      // Offline, or the next letter was typed: the field still searches.
      if (!signal.aborted) close();
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), TYPING_PAUSE_MS);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const { length } = options();
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      event.preventDefault();
      // One place more than options: the field itself.
      const step = event.key === 'ArrowDown' ? 1 : -1;
      activate(((active + 1 + step + length + 1) % (length + 1)) - 1);
    } else if (event.key === 'Enter' && !list.hidden && active >= 0) {
      event.preventDefault();
      location.assign(options()[active]?.dataset['href'] ?? '');
    }
  });
  // Pressing an option must not blur the field, which would close the list before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const href = (event.target as Element).closest<HTMLElement>('[role="option"]')?.dataset['href'];
    if (href !== undefined) location.assign(href);
  });
}

function createOption({ label, href, picture, language }: Suggestion, index: number): HTMLElement {
  const option = document.createElement('li');
  option.id = `${LIST_ID}-${index}`;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  option.dataset['href'] = href;
  if (picture !== undefined) {
    const image = document.createElement('img');
    Object.assign(image, { src: picture, alt: '', width: 36, height: 48 });
    option.insertAdjacentElement('beforeend', image);
  }
  const text = document.createElement('span');
  text.textContent = label;
  text.dir = 'auto';
  if (language) text.lang = language;
  option.insertAdjacentElement('beforeend', text);
  return option;
}
