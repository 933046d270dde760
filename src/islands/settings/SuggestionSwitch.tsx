import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { api } from '../shared/api.ts';
import { TranslationProvider, type Dictionary, useTranslate } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { showToast } from '../shared/toasts-state.ts';
import { Icon } from '../shared/ui/Icon.tsx';

/** Switches personal suggestions on and off, and says what they are made from. */
export function SuggestionSwitch({ lang, dictionary }: { lang: string; dictionary: Dictionary<'settings'> }) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <SuggestionSwitchView />
    </TranslationProvider>
  );
}

function SuggestionSwitchView() {
  const { auth } = useStore($session, { ssr: 'initial' });
  const words = useTranslate('settings');
  const [busy, setBusy] = useState(false);
  const user = auth?.user ?? null;
  const toggle = async () => {
    if (auth === null || user === null || busy) return;
    setBusy(true);
    const answer = await api.changeAccount({ personal_suggestions: !user.personal_suggestions });
    setBusy(false);
    if (answer.ok) $session.set({ status: 'known', auth: { ...auth, user: answer.data } });
    else showToast({ text: words('suggestionsFailed'), kind: 'danger' });
  };
  return (
    <div>
      <button
        type="button"
        className="switch"
        role="switch"
        aria-checked={user?.personal_suggestions ?? true}
        aria-describedby="suggestions-note"
        aria-busy={busy}
        disabled={user === null}
        onClick={() => void toggle()}
      >
        <Icon name="idea" />
        <span>{words('suggestionsLabel')}</span>
        <span className="switch-track" />
      </button>
      <p id="suggestions-note" className="quiet">
        {words('suggestionsNote')}
      </p>
    </div>
  );
}
