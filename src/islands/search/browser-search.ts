import { client, readJson } from '../shared/api.ts';
import { browserClock } from '../shared/clock.ts';
import { $session, refreshSession } from '../shared/session-state.ts';
import { pageSession } from '../sign-in/reauthenticate.ts';
import { createMessageSearch, type MessageSearch } from './search-state.ts';

/** A search that lives in this page. */
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
        // The server does not know the session that this page still believes in: the modal must not either.
        if ($session.get().auth?.is_authenticated) await refreshSession();
        return pageSession.signIn();
      },
    },
  });
}
