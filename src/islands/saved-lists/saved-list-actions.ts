import { askToSignIn } from '../sign-in/sign-in-state.ts';
import { NETWORK_FAILURE, type Failure } from '../shared/api.ts';
import { forgetWish, keepWish, keptWish } from './pending-action.ts';
import type { Choice, ChoiceKind } from './saved-lists-api.ts';
import { choices, isChosen } from './saved-lists-state.ts';
import { failureSentence } from '../shared/errors.ts';
import type { MessageKey, Words } from '../shared/i18n.tsx';
import { $session, knownSession } from '../shared/session-state.ts';
import { ERROR_TOAST_MS, showToast, UNDO_MS } from '../shared/toasts-state.ts';

/** What a page or island tells in. */
export interface Telling {
  lang: string;
  words: Words<'choices'>;
  errors: Words<'errors'>;
}

type Told = Extract<MessageKey<'choices'>, string>;
const TOLD: Record<ChoiceKind, { on: Told; off: Told }> = {
  favourite: { on: 'added', off: 'removed' },
  follow: { on: 'followed', off: 'unfollowed' },
  tag: { on: 'hiddenNow', off: 'shownNow' },
  creator: { on: 'hiddenNow', off: 'shownNow' },
};

/** The tab's own storage, or null where it is closed to the page. */
function tabStorage(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

const here = () => ({ path: location.pathname, now: Date.now() });

/** The account that is here, whose choices are known then; null for nobody and for guests. */
async function accountHere(): Promise<string | null> {
  const { user } = await knownSession();
  const owner = user === null || user.is_anonymous ? null : user.id;
  choices.begin(owner);
  return owner;
}

function tell(failure: Pick<Failure, 'code' | 'error'>, { errors, lang }: Telling): void {
  showToast({ text: failureSentence(failure, errors, lang), kind: 'harm', durationMs: ERROR_TOAST_MS });
}

async function doIt(choice: Choice, on: boolean, telling: Telling): Promise<Failure | null> {
  const failure = await choices.choose(choice, on);
  if (failure !== null) {
    if (failure.status !== 401) tell(failure, telling);
    return failure;
  }
  const { words } = telling;
  const { kind, name } = choice;
  // Pressed again meanwhile: that is what is told.
  if (isChosen(choices.$choices.get(), choice) !== on) return null;
  showToast({
    text: words(TOLD[kind][on ? 'on' : 'off'], { name }),
    durationMs: UNDO_MS,
    action: { label: words('undo'), act: () => void choose(choice, !on, telling) },
  });
  return null;
}

/**
 * Does what was pressed: chooses something, or takes that back, says so, and offers to undo it. Who has no account is
 * asked to log in first, and what they pressed is kept meanwhile. What fails is said.
 */
export async function choose(choice: Choice, on: boolean, telling: Telling): Promise<void> {
  if (!navigator.onLine) return tell(NETWORK_FAILURE, telling);
  const owner = await accountHere();
  if (owner !== null) {
    const failure = await doIt(choice, on, telling);
    if (failure?.status !== 401) return;
  }
  keepWish(tabStorage(), { choice, on, owner }, here());
  if (!(await askToSignIn({ reason: 'save' }))) return forgetWish(tabStorage());
  await fulfilWish(telling);
}

/**
 * Does what somebody pressed on this page before they logged in. What an account wanted whose session had ended is never
 * done in the name of another: that is said, and nothing is done.
 */
export async function fulfilWish(telling: Telling): Promise<void> {
  const wish = keptWish(tabStorage(), here());
  if (wish === null) return;
  const now = await accountHere();
  if (now === null) {
    if (!(await knownSession()).is_authenticated) return;
    tell({ code: 'account_required', error: '' }, telling);
  } else if (wish.owner !== null && wish.owner !== now) tell({ code: 'other_account', error: '' }, telling);
  else await doIt(wish.choice, wish.on, telling);
  forgetWish(tabStorage());
}

/** Follows who is here, and fetches what they hide. @returns stops it */
export function followChoices(): () => void {
  return $session.subscribe(({ status, auth }) => {
    if (status !== 'known') return;
    const user = auth?.user ?? null;
    choices.begin(user === null || user.is_anonymous ? null : user.id);
    void choices.loadHidden();
  });
}
