import { browserClock } from '../shared/clock.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { $session } from '../shared/session-state.ts';
import { askToSignIn } from '../sign-in/sign-in-state.ts';
import { formApi } from './form-api.ts';
import { type CharacterForm, createCharacterForm } from './form-state.ts';
import { createSavedDrafts } from './saved-drafts.ts';

export const getEditHref = (id: string): string => `/creator-center/edit/${encodeURIComponent(id)}`;

export const characterForm: CharacterForm = createCharacterForm({
  api: formApi,
  drafts: createSavedDrafts(getDeviceStorage()),
  clock: browserClock,
  async signIn() {
    if (!(await askToSignIn({ reason: 'required', onCancel: 'stay' }))) return null;
    const user = $session.get().auth?.user;
    return user == null || user.is_anonymous ? null : user.id;
  },
  newKey: () => crypto.randomUUID(),
  onCreated: (id) => history.replaceState(history.state, '', getEditHref(id)),
});
