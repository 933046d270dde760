// Over 400 lines: one form from its opening to its end. Keeping, publishing and importing wait for each other, by state
// that nobody else may touch.
import { atom, type ReadableAtom } from 'nanostores';
import type { CardNote, ImportedCard } from '../../features/cards/contract.ts';
import type { ExtrasView, OwnCharacter } from '../../features/character/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import { createThrottle } from '../shared/ui/throttle.ts';
import type { UploadOptions } from '../shared/send-form.ts';
import { retryAfterSignIn } from '../sign-in/reauthenticate.ts';
import type { FormApi } from './form-api.ts';
import {
  toCharacterBody,
  diffBodies,
  EMPTY_FIELDS,
  toExtraFields,
  toFields,
  hasFormChanges,
  toNewCharacterBody,
  rebaseFields,
  listRejectedFields,
  validateFields,
  applyCard,
  type CharacterFields,
  type FieldName,
} from './form-rules.ts';
import type { SavedDraft, SavedDrafts } from './saved-drafts.ts';
import {
  startAttempt,
  finishAttempt,
  mergePublications,
  createPublication,
  type Publication,
} from './publication.ts';

/** Something that went wrong with the whole form: a refusal, or a word of our own for what it means. */
export type FormFailure =
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
  card: ExtrasView | null;
  notes: readonly CardNote[];
  /** Whether it goes on with what the device kept. */
  isRestored: boolean;
  /** Whether the draft's picture was cleared away since. */
  pictureLost: boolean;
  /** Whether it was tried to save: what is missing is said only then. */
  isSubmitted: boolean;
  busy: boolean;
  trouble: FormFailure | null;
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
  importCard(card: ImportedCard): () => void;
  uploadPicture(picture: Blob, sending: UploadOptions): Promise<Failure | null>;
  uploadCard(file: File, sending: UploadOptions): Promise<Result<ImportedCard>>;
  /** The picture of the form could not be shown: lets go of it if it is gone. */
  handlePictureError(): Promise<void>;
  /** Leaves on the device at once what was written last: the page may be gone in a moment. */
  saveDraftNow(): void;
  /** Whether leaving would lose something. */
  isUnsaved(): boolean;
}

export interface FormDeps {
  api: FormApi;
  drafts: SavedDrafts;
  clock: Clock;
  /** The session ended meanwhile: has the person sign in again. @returns who is here then; null for nobody */
  signIn(): Promise<string | null>;
  /** Tells a draft from all others. */
  newKey(): string;
  /** A new character that could not be saved whole is changed from now on. */
  onCreated(id: string): void;
}

export const CLOSED_FORM: FormState = {
  status: 'idle',
  who: null,
  id: null,
  kept: null,
  fields: EMPTY_FIELDS,
  importId: null,
  card: null,
  notes: [],
  isRestored: false,
  pictureLost: false,
  isSubmitted: false,
  busy: false,
  trouble: null,
  refused: [],
};

/** What is written is on the device so many milliseconds later: a large lorebook takes a while to write out. */
export const SAVE_DELAY_MS = 300;

/** What stands in a form in which nobody wrote. */
const getOriginalFields = ({ kept, card }: FormState) =>
  kept === null ? { ...EMPTY_FIELDS, ...toExtraFields(card) } : toFields(kept);

/** The lorebook as it was before anybody wrote in it. */
export const getOriginalLorebook = ({ kept, card }: Pick<FormState, 'kept' | 'card'>) =>
  (kept?.extras ?? card)?.lorebook ?? null;

/** Refusals after which nothing was made of an attempt, and nothing will be. */
const NOT_CREATED_STATUSES: ReadonlySet<number> = new Set([400, 402, 403, 404, 413, 415, 422]);
/** Nobody could look at the text: nothing was begun with it. */
const MODERATION_UNAVAILABLE = 'moderation_unavailable';
const isNotCreated = ({ status, code }: Failure) =>
  NOT_CREATED_STATUSES.has(status) || code === MODERATION_UNAVAILABLE;
/** What a draft is told that was published already, with another text. */
const ALREADY_PUBLISHED = 'idempotency_key_reused';

export function createCharacterForm(deps: FormDeps): CharacterForm {
  const { api, drafts, signIn, newKey, onCreated } = deps;
  const $form = atom<FormState>(CLOSED_FORM);
  let publication: Publication = createPublication('');
  const draftThrottle = createThrottle(deps.clock, SAVE_DELAY_MS, saveDraft);
  let opening = 0;

  const set = (part: Partial<FormState>) => $form.set({ ...$form.get(), ...part });
  const differs = (state: FormState) =>
    hasFormChanges(state.fields, getOriginalFields(state)) || state.importId !== null;

  /** Leaves on the device what is unsaved, with an attempt that another tab began or ended. */
  function saveDraft(): void {
    draftThrottle.cancel();
    const state = $form.get();
    const { who, id, fields, importId, notes } = state;
    if (who === null || state.status !== 'ready') return;
    if (id === null) publication = mergePublications(publication, drafts.read(who, null));
    if (differs(state) || publication.attempt !== null)
      drafts.write(who, id, { fields, from: getOriginalFields(state), importId, notes, ...publication });
    else drafts.forget(who, id);
  }

  /** Calls, and once more after the same person has signed in, when the session had ended. */
  function asked<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
    return retryAfterSignIn(call, { getUserId: () => $form.get().who, signIn });
  }

  function showForm(
    who: string,
    kept: OwnCharacter | null,
    draft: SavedDraft | null,
    card: ExtrasView | null = null,
  ): void {
    const id = kept?.id ?? null;
    const newest = getOriginalFields({ ...CLOSED_FORM, kept, card });
    const { draftId = '', tries = 0, attempt = null } = draft ?? {};
    publication = { draftId: draftId || newKey(), tries, attempt };
    const state: FormState = {
      ...CLOSED_FORM,
      status: 'ready',
      who,
      id,
      kept,
      fields: draft === null ? newest : rebaseFields(draft.fields, draft.from, newest),
      importId: draft?.importId ?? null,
      card,
      notes: draft?.notes ?? [],
    };
    $form.set({ ...state, isRestored: differs(state) });
  }

  /** Opens the form for a new character. A draft of a card has the card's lorebook from where the card is kept. */
  async function openNew(who: string, isLatestSave: () => boolean): Promise<void> {
    const draft = drafts.read(who, null);
    const importId = draft?.importId ?? null;
    if (draft === null || importId === null) return showForm(who, null, draft);
    const answer = await asked(() => api.cardExtras(importId));
    if (!isLatestSave()) return;
    if (answer.ok) return showForm(who, null, draft, answer.data.extras);
    if (answer.status !== 404) return set({ status: 'failed' });
    // An attempt whose answer never came may have used the card: repeating it says so.
    showForm(who, null, draft.attempt === null ? { ...draft, importId: null, notes: [] } : draft);
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
      set({ fields, importId, card, notes, trouble: null, refused: [], isSubmitted: false });
      saveDraft();
    };
  }

  async function change(id: string, from: CharacterFields): Promise<Result<OwnCharacter | null>> {
    const target = diffBodies(toCharacterBody(from), toCharacterBody($form.get().fields));
    return target === null ? { ok: true, data: null } : asked(() => api.change(id, target));
  }

  /** What a refusal means for the form. A picture or a card that is gone by now is let go of. */
  function failWith(what: 'create' | 'update', failure: Failure): void {
    const { fields, importId, notes } = $form.get();
    const named = failure.fields ?? {};
    const pictureLost = 'avatar_id' in named;
    const cardLost = 'import_id' in named;
    set({
      busy: false,
      trouble: cardLost ? { what: 'card_lost' } : { what, failure },
      refused: listRejectedFields(named).filter((field) => field !== 'avatar'),
      pictureLost,
      fields: pictureLost ? { ...fields, avatar: null } : fields,
      importId: cardLost ? null : importId,
      ...(cardLost ? { card: null } : {}),
      notes: cardLost ? [] : notes,
    });
    saveDraft();
  }

  /** Makes the character of an attempt that was begun, or of a new one; one that never answered is gone on with. */
  async function createCharacter(who: string): Promise<Result<OwnCharacter>> {
    const { fields, importId, card } = $form.get();
    const body = {
      ...toNewCharacterBody(fields, card),
      ...(importId === null ? {} : { import_id: importId }),
    };
    publication = mergePublications(publication, drafts.read(who, null));
    const isNew = publication.attempt === null;
    const begins = startAttempt(publication, body);
    publication = begins;
    // Before it goes out: whatever happens to this page, the same attempt can be repeated.
    saveDraft();
    const { key, body: sent } = begins.attempt;
    const answer = await asked(() => api.create(sent, key));
    if (answer.ok || !isNotCreated(answer) || $form.get().who !== who) return answer;
    publication = mergePublications(publication, finishAttempt(begins));
    saveDraft();
    // What is refused is an older text: the one that stands here has not been tried.
    const isOlder = !isNew && JSON.stringify(sent) !== JSON.stringify(body);
    return isOlder && answer.code !== ALREADY_PUBLISHED ? createCharacter(who) : answer;
  }

  async function publishDraft(who: string): Promise<OwnCharacter | null> {
    const answer = await createCharacter(who);
    // Somebody else's form by now.
    if ($form.get().who !== who) return null;
    if (!answer.ok) {
      failWith('create', answer);
      return null;
    }
    const created = answer.data;
    // What was made is the attempt that never answered; what was written since comes after it.
    const changed = await change(created.id, toFields(created));
    // Another tab may have begun a draft of its own, which stays.
    if (drafts.read(who, null)?.draftId === publication.draftId) drafts.forget(who, null);
    if ($form.get().who !== who) return null;
    publication = createPublication(newKey());
    if (changed.ok) {
      set({ status: 'done' });
      return changed.data ?? created;
    }
    set({
      busy: false,
      id: created.id,
      kept: created,
      importId: null,
      card: null,
      trouble: { what: 'created_not_changed' },
    });
    saveDraft();
    onCreated(created.id);
    return null;
  }

  async function update(who: string, kept: OwnCharacter): Promise<OwnCharacter | null> {
    const { fields: sent } = $form.get();
    const answer = await change(kept.id, toFields(kept));
    if ($form.get().who !== who) return null;
    if (!answer.ok) {
      failWith('update', answer);
      return null;
    }
    const now = answer.data ?? kept;
    // What was written while it was on its way is not saved yet.
    const fields = rebaseFields($form.get().fields, sent, toFields(now));
    set({ busy: false, kept: now, fields, isRestored: false, isSubmitted: false });
    saveDraft();
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
    draftThrottle.schedule();
  }

  return {
    $form,
    async open(who, id) {
      draftThrottle.flush();
      const call = ++opening;
      $form.set({ ...CLOSED_FORM, status: 'loading', who, id });
      if (id === null) return openNew(who, () => call === opening);
      const answer = await asked(() => api.own(id));
      if (call !== opening) return;
      if (answer.ok) showForm(who, answer.data, drafts.read(who, id));
      else set({ status: answer.status === 404 ? 'missing' : 'failed' });
    },
    close() {
      draftThrottle.flush();
      opening += 1;
      publication = createPublication('');
      $form.set(CLOSED_FORM);
    },
    write,
    async save() {
      const { status, who, kept, busy, fields } = $form.get();
      if (busy || status !== 'ready' || who === null) return null;
      set({ isSubmitted: true, trouble: null, refused: [] });
      if (validateFields(fields, getOriginalLorebook($form.get())).length > 0) return null;
      set({ busy: true });
      return kept === null ? publishDraft(who) : update(who, kept);
    },
    discard() {
      const undoDiscard = snapshot();
      publication = createPublication(newKey());
      set({
        fields: getOriginalFields({ ...$form.get(), card: null }),
        importId: null,
        card: null,
        notes: [],
        isRestored: false,
        pictureLost: false,
        isSubmitted: false,
        trouble: null,
        refused: [],
      });
      saveDraft();
      return undoDiscard;
    },
    importCard({ draft, extras, notes, import_id }) {
      const undoDiscard = snapshot();
      publication = createPublication(newKey());
      const { fields } = $form.get();
      set({
        fields: applyCard(fields, { draft, extras }),
        importId: import_id,
        card: extras,
        notes,
        isRestored: false,
        pictureLost: false,
        isSubmitted: false,
        trouble: null,
        refused: [],
      });
      saveDraft();
      return undoDiscard;
    },
    async uploadPicture(picture, sending) {
      const answer = await asked(() => api.sendPicture(picture, sending));
      if (!answer.ok) return answer;
      const { avatar_id, url } = answer.data;
      if (!sending.signal.aborted) write({ avatar: { avatar_id, url } });
      return null;
    },
    uploadCard: (file, sending) => asked(() => api.importCard(file, sending)),
    async handlePictureError() {
      const { avatar } = $form.get().fields;
      if (avatar === null || !(await api.isPictureGone(avatar.url))) return;
      if ($form.get().fields.avatar?.avatar_id !== avatar.avatar_id) return;
      write({ avatar: null });
      set({ pictureLost: true });
    },
    saveDraftNow: draftThrottle.flush,
    isUnsaved() {
      const state = $form.get();
      return state.status === 'ready' && differs(state);
    },
  };
}
