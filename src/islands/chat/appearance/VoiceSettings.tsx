import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import { formatNumber, getLanguageName } from '../../../locales/format.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { FIELD, SECONDARY } from '../../shared/styles.ts';
import { useChatState } from '../chat-context.ts';
import { RATES } from './chat-settings.ts';
import { endReading, readMessage, startReading, stopReading } from '../read-aloud/reader.ts';
import { groupVoices, loadVoices } from '../read-aloud/voices.ts';
import { $readingContext, $readMessageId } from '../state/messages-state.ts';
import { $chatSettings, changeChoices, changeVoice } from './chat-settings-state.ts';
import { SettingSwitch } from './SettingSwitch.tsx';

/** Reading aloud: the switch, the voice and its speed. */
export function VoiceSettings() {
  const words = useTranslate('chat');
  const { choices } = useStore($chatSettings);
  const id = useId();
  const [voices, setVoices] = useState<readonly SpeechSynthesisVoice[] | null>(null);
  useEffect(() => {
    let isMounted = true;
    void loadVoices().then((loaded) => isMounted && setVoices(loaded));
    return () => {
      isMounted = false;
    };
  }, []);
  const hasVoices = voices !== null && voices.length > 0;
  const toggle = (on: boolean) => {
    changeChoices({ readAloud: on ? 'on' : 'off' });
    if (on) void startReading();
    else endReading();
  };
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="font-serif text-lg">
        {words('readAloudTitle')}
      </h3>
      <SettingSwitch
        label={words('readAloudSwitch')}
        note={words(
          voices === null ? 'readAloudLoading' : hasVoices ? 'readAloudNote' : 'readAloudUnavailable',
        )}
        checked={choices.readAloud === 'on' && hasVoices}
        disabled={!hasVoices}
        onChange={toggle}
      />
      {hasVoices ? <VoiceFields voices={voices} /> : null}
    </section>
  );
}

function VoiceFields({ voices }: { voices: readonly SpeechSynthesisVoice[] }) {
  const words = useTranslate('chat');
  const uiLang = useLang();
  const { voice } = useStore($chatSettings);
  const id = useId();
  const lastReply = useChatState(({ view }) =>
    view.messages.findLast(({ role, content }) => role === 'character' && content.trim() !== ''),
  );
  const isReading = useStore($readMessageId) !== null;
  const lang = useStore($readingContext)?.lang ?? uiLang;
  const rate = `${formatNumber(voice.rate, uiLang)}×`;
  return (
    <>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-voice`}>
          {words('readAloudVoice', { language: getLanguageName(lang, uiLang) })}
        </label>
        <select
          id={`${id}-voice`}
          className={FIELD}
          value={voice.voices[lang] ?? ''}
          onChange={({ target: { value } }) => {
            const { [lang]: _, ...others } = voice.voices;
            changeVoice({ voices: value === '' ? others : { ...others, [lang]: value } });
          }}
        >
          <option value="">{words('readAloudVoiceAuto')}</option>
          {groupVoices(voices, lang).map(([code, group]) => (
            <optgroup key={code} label={getLanguageName(code, uiLang)}>
              {group.map(({ voiceURI, name }) => (
                <option key={voiceURI} value={voiceURI}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-rate`} className="flex justify-between gap-4">
          {words('readAloudRate')}
          <span className="text-text-quiet tabular-nums">{rate}</span>
        </label>
        <input
          id={`${id}-rate`}
          type="range"
          {...RATES}
          className="min-h-11 w-full accent-(--accent)"
          value={voice.rate}
          aria-valuetext={rate}
          onChange={({ target }) => changeVoice({ rate: target.valueAsNumber })}
        />
      </div>
      {lastReply === undefined ? null : (
        <button
          type="button"
          className={`${SECONDARY} self-start`}
          onClick={() => (isReading ? stopReading() : readMessage(lastReply))}
        >
          {words(isReading ? 'readAloudStop' : 'readAloudTry')}
        </button>
      )}
    </>
  );
}
