import { $conversationList } from '../../../islands/shared/conversation-list-state.ts';
import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { $session } from '../../../islands/shared/session-state.ts';
import { USER_KEY_PREFIXES } from '../../../islands/shared/user-storage.ts';
import { queryPart } from '../dom.ts';
import { truncateText, toHomeRows, type HomeRow } from '../../../features/home/home-rows.ts';

/** Storage key, removed on logout. sidebar-boot.js and home-boot.js read it before the first paint. */
const COPY_KEY = `${USER_KEY_PREFIXES.copy}shell`;

/** A row of the sidebar: address, picture, time, whether it is unread ('1' or ''), and the texts of `ROW_TEXTS`. */
type SidebarRow = readonly string[];

/** The elements of a row that have a text, as in sidebar-boot.js. */
const ROW_TEXTS = ['[data-name]', '[data-title]', 'time', 'bdi', '[data-line]'];

/** What this device remembers of one user, for the first paint of the next page. */
interface DeviceCopy {
  /** The user's id. */
  owner: string;
  /** The language of the texts. */
  lang: string;
  /** Name, second line, and the picture's address or ''. */
  profile: readonly string[];
  /** For each character of a group its rows, and the text of the button for more or ''. */
  groups: readonly (readonly [
    label: string,
    characters: readonly (readonly [rows: readonly SidebarRow[], more: string])[],
  ])[];
  home: readonly HomeRow[];
}

/** Whether the stored copy is of another user, or not readable. False when there is none. */
export function isCopyForeign(storage: Pick<Storage, 'getItem'> | null, owner: string | null): boolean {
  try {
    const text = storage?.getItem(COPY_KEY) ?? null;
    return text !== null && (JSON.parse(text) as DeviceCopy | null)?.owner !== owner;
  } catch {
    return true;
  }
}

/** Reads what the sidebar shows, so that its rows need not be built twice. */
function readSidebar(): Pick<DeviceCopy, 'profile' | 'groups'> {
  const getText = (element: Element | null) => truncateText(element?.textContent ?? '');
  const picture = queryPart('profile-avatar').querySelector('img');
  const readRow = (row: Element): SidebarRow => [
    row.querySelector('a')?.getAttribute('href') ?? '',
    row.querySelector('img')?.getAttribute('src') ?? '',
    row.querySelector('time')?.dateTime ?? '',
    row.querySelector('[data-unread]:not([hidden])') === null ? '' : '1',
    ...ROW_TEXTS.map((selector) => getText(row.querySelector(selector))),
  ];
  const groups = [...queryPart('history-list').children].map((group) => {
    const characters = [...group.querySelectorAll('ul')].map(
      (list) => [[...list.children].map(readRow), getText(list.nextElementSibling)] as const,
    );
    return [getText(group.querySelector('h3')), characters] as const;
  });
  return {
    profile: [
      getText(queryPart('profile-name')),
      getText(queryPart('profile-line')),
      picture?.getAttribute('src') ?? '',
    ],
    groups,
  };
}

/**
 * Stores what the sidebar and the home page show of the user, and removes it when the session is another one or has ended.
 * Call it after the sidebar has been set up. An unreachable server changes nothing.
 */
export function storeDeviceCopy(): void {
  const storage = getDeviceStorage();
  const update = () => {
    const { status, auth, isUnreachable } = $session.get();
    if (status !== 'known' || isUnreachable) return;
    // The chats of a suspended user are not shown any more.
    const owner = auth?.user?.suspended_at === undefined ? (auth?.user?.id ?? null) : null;
    const list = $conversationList.get();
    try {
      if (isCopyForeign(storage, owner)) storage?.removeItem(COPY_KEY);
      if (owner === null || list.status !== 'ready') return;
      const copy: DeviceCopy = {
        owner,
        lang: document.documentElement.lang,
        ...readSidebar(),
        home: toHomeRows(list.chats),
      };
      storage?.setItem(COPY_KEY, JSON.stringify(copy));
    } catch {
      // Storage is full or blocked: the next page waits for the server.
    }
  };
  $session.subscribe(update);
  $conversationList.subscribe(update);
}
