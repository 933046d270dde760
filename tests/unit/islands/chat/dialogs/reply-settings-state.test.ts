import { describe, expect, test } from 'vitest';
import {
  type ChangeReplySettingsBody,
  DEFAULT_REPLY_SETTINGS,
  type ReplySettings,
} from '../../../../../src/features/conversation/prompt/reply-settings-contract.ts';
import { createReplySettingsForm } from '../../../../../src/islands/chat/dialogs/reply-settings-state.ts';
import { NETWORK_FAILURE, type Result } from '../../../../../src/islands/shared/api.ts';

/** A server that stores changes, or can be offline. */
function createServer() {
  const sent: ChangeReplySettingsBody[] = [];
  const server = { stored: DEFAULT_REPLY_SETTINGS, offline: false };
  const answer = (): Result<ReplySettings> =>
    server.offline ? NETWORK_FAILURE : { ok: true, data: server.stored };
  const form = createReplySettingsForm(
    {
      get: async () => {
        const read = answer();
        return read.ok ? { ok: true, data: { ...read.data, recommended_style: null } } : read;
      },
      change: async (_, change) => {
        sent.push(change);
        if (!server.offline) server.stored = { ...server.stored, ...change } as ReplySettings;
        return answer();
      },
    },
    'c1',
  );
  return { server, sent, form };
}

describe('Form of the reply settings', () => {
  test('saving sends what has changed, and nothing when all is as it was', async () => {
    const { form, sent, server } = createServer();
    await form.load();
    expect(form.hasUnsaved()).toBe(false);
    expect(await form.save()).toBe(true);
    form.edit({ author_note: 'It rains.' });
    expect(form.hasUnsaved()).toBe(true);
    expect(await form.save()).toBe(true);
    expect(sent).toEqual([{ author_note: 'It rains.' }]);
    expect(server.stored.author_note).toBe('It rains.');
    expect(form.hasUnsaved()).toBe(false);
  });

  test('a failed save keeps the text, and the next one sends it', async () => {
    const { form, server } = createServer();
    await form.load();
    form.edit({ author_note: 'It rains.' });
    server.offline = true;
    expect(await form.save()).toBe(false);
    expect(form.$form.get()).toMatchObject({ saving: false, problem: { code: 'network' } });
    expect(form.$form.get().edited?.author_note).toBe('It rains.');
    server.offline = false;
    expect(await form.save()).toBe(true);
    expect(form.$form.get().problem).toBeNull();
  });

  test('text that is written while saving is not lost', async () => {
    const { form } = createServer();
    await form.load();
    form.edit({ author_note: 'It rains.' });
    const saving = form.save();
    form.edit({ author_note: 'It rains. Always.' });
    expect(await saving).toBe(false);
    expect(form.$form.get().edited?.author_note).toBe('It rains. Always.');
    expect(form.hasUnsaved()).toBe(true);
  });

  test('a form that could not be loaded can be loaded again', async () => {
    const { form, server } = createServer();
    server.offline = true;
    await form.load();
    expect(form.$form.get().phase).toBe('failed');
    expect(form.hasUnsaved()).toBe(false);
    server.offline = false;
    await form.load();
    expect(form.$form.get()).toMatchObject({ phase: 'ready', problem: null, edited: DEFAULT_REPLY_SETTINGS });
  });
});
