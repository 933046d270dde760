import { getDeviceStorage } from '../../shared/device-storage.ts';

/** Storage key; chat-settings-boot.js reads it before the first paint, and keeps to `version`. */
export const CHAT_SETTINGS_KEY = 'chat-settings';
const VERSION = 1;

/** The choices for the chats of this device; the first of each is the default. */
export const CHAT_CHOICES = {
  size: ['normal', 'small', 'large', 'largest'],
  width: ['normal', 'narrow', 'wide'],
  layout: ['prose', 'bubbles'],
  background: ['plain', 'picture'],
  portraits: ['off', 'on'],
  readAloud: ['off', 'on'],
} as const;

/** How chats look and sound on this device. */
export type ChatChoices = { [K in keyof typeof CHAT_CHOICES]: (typeof CHAT_CHOICES)[K][number] };

/** How fast a voice reads; 1 is its own speed. */
export const RATES = { min: 0.5, max: 2, step: 0.25 } as const;

/** How a voice of this device reads. */
export interface VoiceSettings {
  rate: number;
  /** The chosen voice's `voiceURI`, by language of the text; the browser's own choice where there is none. */
  voices: Readonly<Record<string, string>>;
}

/** What this device remembers for all chats. */
export interface ChatSettings {
  choices: ChatChoices;
  voice: VoiceSettings;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseChoices(stored: unknown): ChatChoices {
  const values = isRecord(stored) ? stored : {};
  const entries = Object.entries(CHAT_CHOICES).map(([name, offered]) => [
    name,
    offered.find((choice) => choice === values[name]) ?? offered[0],
  ]);
  return Object.fromEntries(entries) as ChatChoices;
}

function parseVoice(stored: unknown): VoiceSettings {
  const { rate, voices } = isRecord(stored) ? stored : {};
  const isRateValid = typeof rate === 'number' && rate >= RATES.min && rate <= RATES.max;
  return {
    rate: isRateValid ? rate : 1,
    voices: Object.fromEntries(
      Object.entries(isRecord(voices) ? voices : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  };
}

/**
 * Parses the stored settings. Unknown or damaged values become the defaults.
 * @param text as stored; null for nothing
 */
export function parseChatSettings(text: string | null): ChatSettings {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    // Not JSON: use the defaults.
  }
  const { version, choices, voice } = isRecord(stored) ? stored : {};
  return version === VERSION
    ? { choices: parseChoices(choices), voice: parseVoice(voice) }
    : { choices: parseChoices(null), voice: parseVoice(null) };
}

/** Reads the settings of this device. */
export function readChatSettings(): ChatSettings {
  try {
    return parseChatSettings(getDeviceStorage()?.getItem(CHAT_SETTINGS_KEY) ?? null);
  } catch {
    return parseChatSettings(null);
  }
}

/** Stores the settings; null removes them, so that the defaults apply. */
export function saveChatSettings(settings: ChatSettings | null): void {
  try {
    const storage = getDeviceStorage();
    if (settings === null) storage?.removeItem(CHAT_SETTINGS_KEY);
    else storage?.setItem(CHAT_SETTINGS_KEY, JSON.stringify({ version: VERSION, ...settings }));
  } catch {
    // Storage is full or blocked: the settings last as long as the page.
  }
}

/** Formats the choices as the value of `data-chat-settings`, like chat-settings-boot.js. */
export const formatChoices = (choices: ChatChoices): string =>
  Object.entries(choices)
    .map((part) => part.join('-'))
    .join(' ');
