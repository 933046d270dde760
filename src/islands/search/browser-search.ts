import { client, readJson } from '../shared/api.ts';
import { browserClock } from '../shared/clock.ts';
import { $session, refreshSession } from '../shared/session-state.ts';
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
    asker: {
      getUserId: pageSession.getUserId,
      signIn: async () => {
        // The server rejected the session that this page still has; refresh it so that the sign-in modal opens.
        if ($session.get().auth?.is_authenticated) await refreshSession();
        return pageSession.signIn();
      },
    },
  });
}
