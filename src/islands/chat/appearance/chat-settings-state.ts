import { atom } from 'nanostores';
import {
  CHAT_SETTINGS_KEY,
  formatChoices,
  readChatSettings,
  saveChatSettings,
  type ChatChoices,
  type ChatSettings,
  type VoiceSettings,
} from './chat-settings.ts';

/** The settings of this device. */
export const $chatSettings = atom<ChatSettings>(readChatSettings());

// Another tab changed or removed them. The page's own script applies the choices (chat-settings-boot.js).
window.addEventListener('storage', ({ key }) => {
  if (key === CHAT_SETTINGS_KEY || key === null) $chatSettings.set(readChatSettings());
});

function applySettings(settings: ChatSettings): void {
  $chatSettings.set(settings);
  document.documentElement.dataset['chatSettings'] = formatChoices(settings.choices);
}

function changeSettings(settings: ChatSettings): void {
  applySettings(settings);
  saveChatSettings(settings);
}

/** Applies choices at once, and remembers them. */
export function changeChoices(part: Partial<ChatChoices>): void {
  const settings = $chatSettings.get();
  changeSettings({ ...settings, choices: { ...settings.choices, ...part } });
}

/** Changes how a voice reads, and remembers it. */
export function changeVoice(part: Partial<VoiceSettings>): void {
  const settings = $chatSettings.get();
  changeSettings({ ...settings, voice: { ...settings.voice, ...part } });
}

/** Returns to the defaults and removes the settings from this device. */
export function resetChatSettings(): void {
  saveChatSettings(null);
  applySettings(readChatSettings());
}
