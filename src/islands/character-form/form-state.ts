// Over 400 lines: one form from its opening to its end. Keeping, publishing and importing wait for each other, by state
// that nobody else may touch.
import { atom, type ReadableAtom } from 'nanostores';
import type { CardNote, ImportedCard } from '../../features/cards/contract.ts';
import type { ExtrasOnWire, OwnCharacter } from '../../features/character/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import { createResting } from '../shared/ui/throttle.ts';
import type { Sending } from '../shared/send-form.ts';
import { askAgain } from '../sign-in/reauthenticate.ts';
import type { FormApi } from './form-api.ts';
import {
  bodyOf,
  changeBetween,
  EMPTY,
  extraFields,
  fieldsOf,
  isChanged,
  newBodyOf,
  rebased,
  refusedFields,
  troublesOf,
  withCard,
  type CharacterFields,
  type FieldName,
} from './form-rules.ts';
import type { KeptDraft, KeptDrafts } from './saved-drafts.ts';
import { begun, ended, met, newPublication, type Publication } from './publication.ts';

/** Something that went wrong with the whole form: a refusal, or a word of our own for what it means. */
export type FormTrouble =
  | { what: 'create' | 'update'; failure: Failure }
  /** The card that the draft came from is kept no longer. */
  | { what: 'card_lost' }
  | { what: 'created_not_changed' };

export interface FormState {
  /** `idle` until it is open for somebody; `missing`: there is no such character of theirs; `done`: it was published. */
  status: 'idle' | 'loading' | 'ready' | 'failed' | 'missing' | 'done';
  /** Whose form it is. */
  who: string | null;
  /** The character that is changed; null for a new one. */
  id: string | null;
  /** As it is kept; null for a new one. */
  kept: OwnCharacter | null;
  fields: CharacterFields;
  importId: string | null;
  /** What the card has beside its draft; null without one. */
  card: ExtrasOnWire | null;
  notes: readonly CardNote[];
  /** Whether it goes on with what the device kept. */
  restored: boolean;
  /** Whether the draft's picture was cleared away since. */
  pictureLost: boolean;
  /** Whether it was tried to save: what is missing is said only then. */
  tried: boolean;
  busy: boolean;
  trouble: FormTrouble | null;
  /** Fields that the server did not take. */
  refused: readonly FieldName[];
}

/** Whether it is still one person's form of one character, made of the same card: what was taken out belongs nowhere else. */
export const isSameForm = (a: FormState, b: FormState): boolean =>
  a.who === b.who && a.id === b.id && a.importId === b.importId;

/** The form as a state machine. It knows no React; the API, the device and the session come in. */
export interface CharacterForm {
  $form: ReadableAtom<FormState>;
  /** Opens it for somebody: with what the device kept, over what the server has. */
  open(who: string, id: string | null): Promise<void>;
  /** Nobody's form any more. What the device keeps stays there. */
  close(): void;
  write(part: Partial<CharacterFields>): void;
  /** Publishes or saves; null where that did not work, with the reason in the state. */
  save(): Promise<OwnCharacter | null>;
  /** Lets go of everything unsaved. @returns brings it back */
  discard(): () => void;
  /** Fills the form with a card. @returns brings back what was there */
  takeCard(card: ImportedCard): () => void;
  takePicture(picture: Blob, sending: Sending): Promise<Failure | null>;
  sendCard(file: File, sending: Sending): Promise<Result<ImportedCard>>;
  /** The picture of the form could not be shown: lets go of it if it is gone. */
  missPicture(): Promise<void>;
  /** Leaves on the device at once what was written last: the page may be gone in a moment. */
  keepNow(): void;
  /** Whether leaving would lose something. */
  isUnsaved(): boolean;
}

export interface FormDeps {
  api: FormApi;
  drafts: KeptDrafts;
  clock: Clock;
  /** The session ended meanwhile: has the person sign in again. @returns who is here then; null for nobody */
  signIn(): Promise<string | null>;
  /** Tells a draft from all others. */
  newKey(): string;
  /** A new character that could not be saved whole is changed from now on. */
  becameOwn(id: string): void;
}

export const CLOSED_FORM: FormState = {
  status: 'idle',
  who: null,
  id: null,
  kept: null,
  fields: EMPTY,
  importId: null,
  card: null,
  notes: [],
  restored: false,
  pictureLost: false,
  tried: false,
  busy: false,
  trouble: null,
  refused: [],
};

/** What is written is on the device so many milliseconds later: a large lorebook takes a while to write out. */
export const KEEP_MS = 300;

/** What stands in a form in which nobody wrote. */
const fromOf = ({ kept, card }: FormState) =>
  kept === null ? { ...EMPTY, ...extraFields(card) } : fieldsOf(kept);

/** The lorebook as it was before anybody wrote in it. */
export const stoodBook = ({ kept, card }: Pick<FormState, 'kept' | 'card'>) =>
  (kept?.extras ?? card)?.lorebook ?? null;

/** Refusals after which nothing was made of an attempt, and nothing will be. */
const NOTHING_MADE: ReadonlySet<number> = new Set([400, 402, 403, 404, 413, 415, 422]);
/** Nobody could look at the text: nothing was begun with it. */
const UNSEEN = 'moderation_unavailable';
const madeNothing = ({ status, code }: Failure) => NOTHING_MADE.has(status) || code === UNSEEN;
/** What a draft is told that was published already, with another text. */
const PUBLISHED_BEFORE = 'idempotency_key_reused';

export function createCharacterForm(deps: FormDeps): CharacterForm {
  const { api, drafts, signIn, newKey, becameOwn } = deps;
  const $form = atom<FormState>(CLOSED_FORM);
  let publication: Publication = newPublication('');
  const keeping = createResting(deps.clock, KEEP_MS, keep);
  let opening = 0;

  const set = (part: Partial<FormState>) => $form.set({ ...$form.get(), ...part });
  const differs = (state: FormState) => isChanged(state.fields, fromOf(state)) || state.importId !== null;

  /** Leaves on the device what is unsaved, with an attempt that another tab began or ended. */
  function keep(): void {
    keeping.callOff();
    const state = $form.get();
    const { who, id, fields, importId, notes } = state;
    if (who === null || state.status !== 'ready') return;
    if (id === null) publication = met(publication, drafts.read(who, null));
    if (differs(state) || publication.attempt !== null)
      drafts.write(who, id, { fields, from: fromOf(state), importId, notes, ...publication });
    else drafts.forget(who, id);
  }

  /** Calls, and once more after the same person has signed in, when the session had ended. */
  function asked<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
    return askAgain(call, { who: () => $form.get().who, signIn });
  }

  function begin(
    who: string,
    kept: OwnCharacter | null,
    draft: KeptDraft | null,
    card: ExtrasOnWire | null = null,
  ): void {
    const id = kept?.id ?? null;
    const newest = fromOf({ ...CLOSED_FORM, kept, card });
    const { draftId = '', tries = 0, attempt = null } = draft ?? {};
    publication = { draftId: draftId || newKey(), tries, attempt };
    const state: FormState = {
      ...CLOSED_FORM,
      status: 'ready',
      who,
      id,
      kept,
      fields: draft === null ? newest : rebased(draft.fields, draft.from, newest),
      importId: draft?.importId ?? null,
      card,
      notes: draft?.notes ?? [],
    };
    $form.set({ ...state, restored: differs(state) });
  }

  /** Opens the form for a new character. A draft of a card has the card's lorebook from where the card is kept. */
  async function openNew(who: string, isNewest: () => boolean): Promise<void> {
    const draft = drafts.read(who, null);
    const importId = draft?.importId ?? null;
    if (draft === null || importId === null) return begin(who, null, draft);
    const answer = await asked(() => api.cardExtras(importId));
    if (!isNewest()) return;
    if (answer.ok) return begin(who, null, draft, answer.data.extras);
    if (answer.status !== 404) return set({ status: 'failed' });
    // An attempt whose answer never came may have used the card: repeating it says so.
    begin(who, null, draft.attempt === null ? { ...draft, importId: null, notes: [] } : draft);
    if (draft.attempt === null) set({ trouble: { what: 'card_lost' } });
  }

  /** What is in the form that a discard or a card replaces. */
  function snapshot(): () => void {
    const { who, id, fields, importId, card, notes } = $form.get();
    const before = publication;
    return () => {
      const now = $form.get();
      // Somebody else's form, or another character's by now.
      if (now.status !== 'ready' || now.who !== who || now.id !== id) return;
      publication = before;
      set({ fields, importId, card, notes, trouble: null, refused: [], tried: false });
      keep();
    };
  }

  async function change(id: string, from: CharacterFields): Promise<Result<OwnCharacter | null>> {
    const wish = changeBetween(bodyOf(from), bodyOf($form.get().fields));
    return wish === null ? { ok: true, data: null } : asked(() => api.change(id, wish));
  }

  /** What a refusal means for the form. A picture or a card that is gone by now is let go of. */
  function fail(what: 'create' | 'update', failure: Failure): void {
    const { fields, importId, notes } = $form.get();
    const named = failure.fields ?? {};
    const pictureLost = 'avatar_id' in named;
    const cardLost = 'import_id' in named;
    set({
      busy: false,
      trouble: cardLost ? { what: 'card_lost' } : { what, failure },
      refused: refusedFields(named).filter((field) => field !== 'avatar'),
      pictureLost,
      fields: pictureLost ? { ...fields, avatar: null } : fields,
      importId: cardLost ? null : importId,
      ...(cardLost ? { card: null } : {}),
      notes: cardLost ? [] : notes,
    });
    keep();
  }

  /** Makes the character of an attempt that was begun, or of a new one; one that never answered is gone on with. */
  async function create(who: string): Promise<Result<OwnCharacter>> {
    const { fields, importId, card } = $form.get();
    const body = { ...newBodyOf(fields, card), ...(importId === null ? {} : { import_id: importId }) };
    publication = met(publication, drafts.read(who, null));
    const isNew = publication.attempt === null;
    const begins = begun(publication, body);
    publication = begins;
    // Before it goes out: whatever happens to this page, the same attempt can be repeated.
    keep();
    const { key, body: sent } = begins.attempt;
    const answer = await asked(() => api.create(sent, key));
    if (answer.ok || !madeNothing(answer) || $form.get().who !== who) return answer;
    publication = met(publication, ended(begins));
    keep();
    // What is refused is an older text: the one that stands here has not been tried.
    const isOlder = !isNew && JSON.stringify(sent) !== JSON.stringify(body);
    return isOlder && answer.code !== PUBLISHED_BEFORE ? create(who) : answer;
  }

  async function publish(who: string): Promise<OwnCharacter | null> {
    const answer = await create(who);
    // Somebody else's form by now.
    if ($form.get().who !== who) return null;
    if (!answer.ok) {
      fail('create', answer);
      return null;
    }
    const made = answer.data;
    // What was made is the attempt that never answered; what was written since comes after it.
    const changed = await change(made.id, fieldsOf(made));
    // Another tab may have begun a draft of its own, which stays.
    if (drafts.read(who, null)?.draftId === publication.draftId) drafts.forget(who, null);
    if ($form.get().who !== who) return null;
    publication = newPublication(newKey());
    if (changed.ok) {
      set({ status: 'done' });
      return changed.data ?? made;
    }
    set({
      busy: false,
      id: made.id,
      kept: made,
      importId: null,
      card: null,
      trouble: { what: 'created_not_changed' },
    });
    keep();
    becameOwn(made.id);
    return null;
  }

  async function update(who: string, kept: OwnCharacter): Promise<OwnCharacter | null> {
    const { fields: sent } = $form.get();
    const answer = await change(kept.id, fieldsOf(kept));
    if ($form.get().who !== who) return null;
    if (!answer.ok) {
      fail('update', answer);
      return null;
    }
    const now = answer.data ?? kept;
    // What was written while it was on its way is not saved yet.
    const fields = rebased($form.get().fields, sent, fieldsOf(now));
    set({ busy: false, kept: now, fields, restored: false, tried: false });
    keep();
    return now;
  }

  function write(part: Partial<CharacterFields>): void {
    const written = Object.keys(part);
    const { fields, refused, pictureLost } = $form.get();
    set({
      fields: { ...fields, ...part },
      trouble: null,
      refused: refused.filter((field) => !written.includes(field)),
      pictureLost: pictureLost && !written.includes('avatar'),
    });
    keeping.want();
  }

  return {
    $form,
    async open(who, id) {
      keeping.now();
      const call = ++opening;
      $form.set({ ...CLOSED_FORM, status: 'loading', who, id });
      if (id === null) return openNew(who, () => call === opening);
      const answer = await asked(() => api.own(id));
      if (call !== opening) return;
      if (answer.ok) begin(who, answer.data, drafts.read(who, id));
      else set({ status: answer.status === 404 ? 'missing' : 'failed' });
    },
    close() {
      keeping.now();
      opening += 1;
      publication = newPublication('');
      $form.set(CLOSED_FORM);
    },
    write,
    async save() {
      const { status, who, kept, busy, fields } = $form.get();
      if (busy || status !== 'ready' || who === null) return null;
      set({ tried: true, trouble: null, refused: [] });
      if (troublesOf(fields, stoodBook($form.get())).length > 0) return null;
      set({ busy: true });
      return kept === null ? publish(who) : update(who, kept);
    },
    discard() {
      const bringBack = snapshot();
      publication = newPublication(newKey());
      set({
        fields: fromOf({ ...$form.get(), card: null }),
        importId: null,
        card: null,
        notes: [],
        restored: false,
        pictureLost: false,
        tried: false,
        trouble: null,
        refused: [],
      });
      keep();
      return bringBack;
    },
    takeCard({ draft, extras, notes, import_id }) {
      const bringBack = snapshot();
      publication = newPublication(newKey());
      const { fields } = $form.get();
      set({
        fields: withCard(fields, { draft, extras }),
        importId: import_id,
        card: extras,
        notes,
        restored: false,
        pictureLost: false,
        tried: false,
        trouble: null,
        refused: [],
      });
      keep();
      return bringBack;
    },
    async takePicture(picture, sending) {
      const answer = await asked(() => api.sendPicture(picture, sending));
      if (!answer.ok) return answer;
      const { avatar_id, url } = answer.data;
      if (!sending.signal.aborted) write({ avatar: { avatar_id, url } });
      return null;
    },
    sendCard: (file, sending) => asked(() => api.importCard(file, sending)),
    async missPicture() {
      const { avatar } = $form.get().fields;
      if (avatar === null || !(await api.isPictureGone(avatar.url))) return;
      if ($form.get().fields.avatar?.avatar_id !== avatar.avatar_id) return;
      write({ avatar: null });
      set({ pictureLost: true });
    },
    keepNow: keeping.now,
    isUnsaved() {
      const state = $form.get();
      return state.status === 'ready' && differs(state);
    },
  };
}
