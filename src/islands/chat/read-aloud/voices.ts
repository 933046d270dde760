import { detectTextLanguage } from '../../../locales/text-language.ts';

/** The part of a voice used here. */
export type Voice = Pick<SpeechSynthesisVoice, 'voiceURI' | 'name' | 'lang'>;

/** The language code of a voice: `en` for `en-GB`, and for `en_GB`, as Android writes it. */
export const getVoiceLanguage = ({ lang }: Pick<Voice, 'lang'>): string =>
  (lang.split(/[-_]/)[0] ?? '').toLowerCase();

/**
 * Groups voices by language.
 * @param first the language whose voices come first
 */
export function groupVoices<V extends Voice>(voices: readonly V[], first: string): [string, V[]][] {
  const groups = new Map<string, V[]>([[first, []]]);
  for (const voice of voices) {
    const lang = getVoiceLanguage(voice);
    groups.set(lang, [...(groups.get(lang) ?? []), voice]);
  }
  return [...groups].filter(([, group]) => group.length > 0);
}

/**
 * Chooses the voice for a text: the one chosen for its language, else one of that language, the device's own first.
 * @returns undefined to let the browser choose
 */
export function selectVoice<V extends Voice & Pick<SpeechSynthesisVoice, 'default' | 'localService'>>(
  voices: readonly V[],
  lang: string,
  chosen: Readonly<Record<string, string>>,
): V | undefined {
  const ofLanguage = voices.filter((voice) => getVoiceLanguage(voice) === lang);
  return (
    voices.find(({ voiceURI }) => voiceURI === chosen[lang]) ??
    ofLanguage.find((voice) => voice.default) ??
    ofLanguage.find((voice) => voice.localService) ??
    ofLanguage[0]
  );
}

/**
 * The language in which a text is spoken.
 * @param expected the character's language, else the interface's
 */
export const getSpokenLanguage = (text: string, expected: string): string =>
  detectTextLanguage(text, expected) ?? expected;

/** Milliseconds after which a device without a voice is believed to have none. */
const VOICES_TIMEOUT_MS = 2000;

/** Loads the device's voices, which some browsers list only some time after they are first asked. Empty for none. */
export function loadVoices(): Promise<SpeechSynthesisVoice[]> {
  const { speechSynthesis: synthesis } = globalThis as { speechSynthesis?: SpeechSynthesis };
  if (synthesis === undefined) return Promise.resolve([]);
  const voices = synthesis.getVoices();
  if (voices.length > 0) return Promise.resolve(voices);
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      synthesis.removeEventListener('voiceschanged', finish);
      resolve(synthesis.getVoices());
    };
    const timer = setTimeout(finish, VOICES_TIMEOUT_MS);
    synthesis.addEventListener('voiceschanged', finish);
  });
}
