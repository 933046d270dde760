import { client, readJson } from '../../islands/shared/api.ts';
import { getSession } from '../../islands/shared/session-state.ts';
import { isolateText } from '../../locales/format.ts';

/** Says on the home page who sent its invite link, to visitors and guests, who can still accept it. */
export async function showInviter(code: string): Promise<void> {
  const note = document.querySelector<HTMLElement>('[data-invited]');
  if (note === null) return;
  const { user } = await getSession();
  if (user !== null && !user.is_anonymous) return;
  const answer = await readJson(client.invites[':code'].$get({ param: { code } }));
  if (!answer.ok || answer.data.inviter_name === null) return;
  const name = isolateText(answer.data.inviter_name);
  note.textContent = (note.dataset['invited'] ?? '').replace('{name}', () => name);
}
