import { client, dataOf } from '../shared/api.ts';
import { browserClock } from '../shared/clock.ts';
import { $session, refreshSession } from '../shared/session-state.ts';
import { pageAsker } from '../sign-in/reauthenticate.ts';
import { createSearch, type Search } from './search-state.ts';

/** A search that lives in this page. */
export function browserSearch(): Search {
  return createSearch({
    find: (q, cursor, signal) =>
      dataOf(
        client.conversations.search.$get(
          { query: { q, ...(cursor ? { cursor } : {}) } },
          { init: { signal } },
        ),
      ),
    clock: browserClock,
    asker: {
      who: pageAsker.who,
      signIn: async () => {
        // The server does not know the session that this page still believes in: the modal must not either.
        if ($session.get().auth?.is_authenticated) await refreshSession();
        return pageAsker.signIn();
      },
    },
  });
}
