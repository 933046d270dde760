import { client, readJson } from '../shared/api.ts';
import { browserClock } from '../shared/clock.ts';
import { pageSession } from '../sign-in/reauthenticate.ts';
import { createMessageSearch, type MessageSearch } from './search-state.ts';

export function createBrowserSearch(): MessageSearch {
  return createMessageSearch({
    find: (q, cursor, signal) =>
      readJson(
        client.conversations.search.$get(
          { query: { q, ...(cursor ? { cursor } : {}) } },
          { init: { signal } },
        ),
      ),
    clock: browserClock,
    asker: pageSession,
  });
}
