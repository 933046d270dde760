import { useStore } from '@nanostores/react';
import { useId, useState } from 'react';
import { useTranslate, type MessageKey } from '../../shared/i18n.tsx';
import { PRIMARY, QUIET } from '../../shared/styles.ts';
import { Modal } from '../../shared/ui/Modal.tsx';
import { endReading } from '../read-aloud/reader.ts';
import { CHAT_CHOICES, type ChatChoices } from './chat-settings.ts';
import { $chatSettings, changeChoices, resetChatSettings } from './chat-settings-state.ts';
import { SettingSwitch } from './SettingSwitch.tsx';
import { VoiceSettings } from './VoiceSettings.tsx';

/**
 * On phones a sheet in the lower part of the window, and on wide screens at its side: the messages behind it are the
 * preview.
 */
const SHEET =
  'mx-auto mt-auto mb-0 max-h-[65dvh] w-full max-w-xl overflow-y-auto overscroll-contain rounded-t-lg border border-line bg-surface pb-[env(safe-area-inset-bottom)] [box-shadow:var(--lift)] backdrop:bg-transparent md:my-auto md:ms-auto md:me-6 md:max-h-[calc(100dvh-2rem)] md:w-96 md:rounded-lg md:pb-0';

/** Lets the user choose how chats look and sound on this device. Every choice applies at once. */
export function AppearanceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('chat');
  const titleId = useId();
  const { choices } = useStore($chatSettings);
  const [timesReset, setTimesReset] = useState(0);
  const reset = () => {
    resetChatSettings();
    endReading();
    setTimesReset(timesReset + 1);
  };
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={SHEET}>
      <div className="flex flex-col gap-5 p-6">
        <div>
          <h2 id={titleId} className="font-serif text-2xl">
            {words('appearanceTitle')}
          </h2>
          <p className="text-text-quiet">{words('appearanceIntro')}</p>
        </div>
        <Choice name="size" choices={choices} />
        <Choice name="width" choices={choices} />
        <Choice name="layout" choices={choices} />
        <Choice name="background" choices={choices} />
        <SettingSwitch
          label={words('appearancePortraits')}
          checked={choices.portraits === 'on'}
          onChange={(on) => changeChoices({ portraits: on ? 'on' : 'off' })}
        />
        <VoiceSettings />
        <p role="status" className="text-sm text-state empty:hidden">
          {timesReset === 0 ? null : <span key={timesReset}>{words('appearanceWasReset')}</span>}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" className={QUIET} onClick={reset}>
            {words('appearanceReset')}
          </button>
          <button type="button" className={PRIMARY} onClick={onClose}>
            {words('done')}
          </button>
        </div>
      </div>
    </Modal>
  );
}

/** The choices in their order on the page: from less to more. */
const ORDER = {
  size: ['small', 'normal', 'large', 'largest'],
  width: ['narrow', 'normal', 'wide'],
  layout: CHAT_CHOICES.layout,
  background: CHAT_CHOICES.background,
} as const satisfies { [K in keyof ChatChoices]?: readonly ChatChoices[K][] };

function Choice<Name extends keyof typeof ORDER>({ name, choices }: { name: Name; choices: ChatChoices }) {
  const words = useTranslate('chat');
  const group = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2">{words(`appearance_${name}` as MessageKey<'chat'>)}</legend>
      <div className="flex flex-wrap gap-1.5">
        {ORDER[name].map((choice) => (
          <label key={choice} className={`chip grow px-2.5 ${name === 'size' ? 'basis-[40%]' : ''}`}>
            <input
              type="radio"
              name={group}
              checked={choices[name] === choice}
              onChange={() => changeChoices({ [name]: choice })}
            />
            <span>{words(`appearance_${name}_${choice}` as MessageKey<'chat'>)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
