import type { NewsItem, NewsList } from '../../../features/character/contract.ts';
import { client, readJson } from '../../../islands/shared/api.ts';
import {
  $conversationList,
  refreshConversationList,
} from '../../../islands/shared/conversation-list-state.ts';
import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { fetchDictionary, type DictionaryUrls } from '../../../islands/shared/load-messages.ts';
import { $session } from '../../../islands/shared/session-state.ts';
import { createTranslator } from '../../../islands/shared/translator.ts';
import { USER_KEY_PREFIXES } from '../../../islands/shared/user-storage.ts';
import { queryPart } from '../dom.ts';
import { toHomeRows, type HomeRow } from '../../../features/home/home-rows.ts';
import { isNewsFresh, readStoredNews, type StoredNews } from './stored-news.ts';
import { querySection, showFailure, type Translate } from './loaded-section.ts';
import { showSuggestions } from './suggestions.ts';

/** Storage key of the news, removed on logout. */
const NEWS_KEY = `${USER_KEY_PREFIXES.copy}news`;
/** News that the home page has room for. */
const SHOWN_NEWS = 3;

const root = document.documentElement;
const { lang } = root;

/**
 * Shows the returning user's frame, or the hero. Suggestions are shown only where they have had room since the first paint:
 * in the state `returning`, not in `late`.
 */
function showFrame(hasChats: boolean): void {
  const { home } = root.dataset;
  if (hasChats) root.dataset['home'] = home === undefined || home === 'late' ? 'late' : 'returning';
  else if (home !== undefined) root.dataset['home'] = 'ended';
}

/** Whether the page shows these chats already: new pictures would flicker. */
function isDrawn(rows: readonly HomeRow[]): boolean {
  const links = document.querySelectorAll('[data-home-chat]:not([hidden])');
  const drawn = Array.from(links, (link) => [
    link.getAttribute('href'),
    link.querySelector('img')?.getAttribute('src'),
    link.querySelectorAll('[data-line]')[1]?.textContent,
  ]);
  return (
    JSON.stringify(drawn) === JSON.stringify(rows.map(([href, picture, , line]) => [href, picture, line]))
  );
}

function renderNews(items: readonly NewsItem[], translate: Translate): void {
  const { list, note } = querySection('home-news');
  const template = document.querySelector('.recent li') as HTMLElement;
  const rows = items.slice(0, SHOWN_NEWS).map(({ kind, character }) => {
    const row = template.cloneNode(true) as HTMLElement;
    const link = row.querySelector('a') as HTMLAnchorElement;
    link.removeAttribute('data-home-chat');
    link.hidden = false;
    link.href = `/${lang}/character-info/${encodeURIComponent(character.id)}`;
    (row.querySelector('img') as HTMLImageElement).src = character.avatar_url;
    const [name, line, time] = row.querySelectorAll('[data-line]') as unknown as HTMLElement[];
    (name as HTMLElement).textContent = character.name;
    (line as HTMLElement).textContent =
      kind === 'new_character'
        ? translate('newCharacter', { creator: character.creator.name })
        : translate('changedFavourite');
    time?.remove();
    return row;
  });
  list.replaceChildren(...rows);
  note.textContent = rows.length > 0 ? '' : translate('newsEmpty');
}

/** Shows the news: at once those that this device has, then the server's if those are not fresh. */
async function showNews(owner: string, translate: Translate): Promise<void> {
  const storage = getDeviceStorage();
  const stored = readStoredNews(storage?.getItem(NEWS_KEY) ?? null, owner);
  if (stored !== null) renderNews(stored.items, translate);
  if (stored !== null && isNewsFresh(stored, Date.now())) return;
  const answer = await readJson<NewsList>(client.me.news.$get());
  if (!answer.ok) {
    const retry = () => void showNews(owner, translate);
    if (stored === null)
      showFailure(querySection('home-news').note, translate('newsFailed'), translate, retry);
    return;
  }
  renderNews(answer.data.items, translate);
  const news: StoredNews = { owner, at: Date.now(), items: answer.data.items.slice(0, SHOWN_NEWS) };
  try {
    storage?.setItem(NEWS_KEY, JSON.stringify(news));
  } catch {
    // Storage is full: the next page asks again.
  }
}

/**
 * Keeps the home page of a returning user up to date.
 * @throws if the texts fail to load; the page then stays as it was first painted
 */
export async function setUpReturningHome(): Promise<void> {
  const urls = JSON.parse(queryPart('home-frame').dataset['texts'] ?? '{}') as DictionaryUrls<'returning'>;
  const translate = createTranslator(lang, (await fetchDictionary(urls)).returning);
  const note = queryPart('home-note');
  const defaultNote = note.textContent;
  let hasSuggestions = false;
  let newsOwner: string | null = null;

  const update = () => {
    const { status, chats } = $conversationList.get();
    const { status: sessionStatus, auth, isUnreachable } = $session.get();
    const user = auth?.user ?? null;
    if (!navigator.onLine || isUnreachable) note.textContent = translate('offline');
    else if (status === 'failed')
      showFailure(note, translate('failed'), translate, () => void refreshConversationList());
    else note.textContent = defaultNote;
    if (sessionStatus === 'known' && user === null && !isUnreachable) showFrame(false);
    if (status !== 'ready' || user === null) return;
    const rows = toHomeRows(chats);
    if (rows.length > 0 && !isDrawn(rows)) window.drawHome?.(rows);
    showFrame(rows.length > 0);
    if (!hasSuggestions && root.dataset['home'] === 'returning') {
      hasSuggestions = true;
      void showSuggestions(translate);
    }
    if (!user.is_anonymous && newsOwner !== user.id) {
      newsOwner = user.id;
      void showNews(user.id, translate);
    }
  };
  $session.subscribe(update);
  $conversationList.subscribe(update);
  addEventListener('online', update);
  addEventListener('offline', update);
}
