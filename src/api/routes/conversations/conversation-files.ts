// Over 400 lines: export and import of a conversation, which share the parts of a file.
import { type Context, Hono } from 'hono';
import { describeRoute, resolver } from 'hono-openapi';
import { z } from 'zod';
import { BODY_LIMITS } from '../../../config/body-limits.ts';
import { CHAT_FILE } from '../../../features/conversation/limits.ts';
import { LINE_PROBLEMS } from '../../../features/conversation/files/chat-file.ts';
import {
  toImportedMessage,
  countRecordBytes,
  countRecordChars,
  withCarriedMetadata,
  withChatMetadata,
} from '../../../features/conversation/files/chat-file-import.ts';
import {
  buildContentDisposition,
  buildFileName,
} from '../../../features/conversation/files/chat-file-name.ts';
import { readChatFile } from '../../../features/conversation/files/chat-file-read.ts';
import { chooseImportedSettings } from '../../../features/conversation/files/chat-file-settings.ts';
import {
  DEFAULT_REPLY_SETTINGS,
  type ReplySettings,
} from '../../../features/conversation/prompt/reply-settings-contract.ts';
import { renderChatFile } from '../../../features/conversation/files/chat-file-write.ts';
import { renderChatMarkdown } from '../../../features/conversation/files/chat-markdown.ts';
import type { ChatHeader, MessageRecord } from '../../../features/conversation/files/chat-record.ts';
import { conversation } from '../../../features/conversation/contract.ts';
import {
  deleteConversationRow,
  findImportedConversation,
} from '../../../features/conversation/conversation-rows-store.ts';
import type { CharacterSource } from '../../../features/conversation/character/character-copy.ts';
import type { ConversationObject } from '../../../features/conversation/conversation-object.ts';
import { ImportedChatModerator } from '../../../features/conversation/moderation/moderation-context.ts';
import { estimateConversationBytes } from '../../../features/storage/storage.ts';
import { findPersonaByName } from '../../../features/persona/persona-store.ts';
import type { ContextPassage } from '../../../features/safety/evidence.ts';
import type { PromptParts } from '../../../features/character/definition-parts.ts';
import { describeName, hasMinor } from '../../../features/safety/decisions.ts';
import { toByteStream } from '../../../lib/text-stream.ts';
import { createPositionedId } from '../../../lib/ids.ts';
import { importKey } from '../../../lib/text-schemas.ts';
import { loadTexts } from '../../../locales/i18n.ts';
import { createListedConversation, requireCharacterSource } from '../../../services/start-conversation.ts';
import { type ApiEnv, type Caller, toServiceContext, readClientIp } from '../../middleware/context.ts';
import {
  getConversationStub,
  presentConversation,
  requireConversation,
  unwrapResult,
} from '../../middleware/conversation-access.ts';
import { ERROR_RESPONSES } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { limitDailyImports } from '../../middleware/import-quota.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { getOwnName } from '../../middleware/names/own-name.ts';
import { createTextRefusal, isInputExempt } from '../../../services/moderate-input.ts';
import { Problem, toProblem, unwrap } from '../../middleware/problems.ts';
import { type ReceivedForm, receiveForm } from '../../middleware/upload.ts';
import type { UploadedFile } from '../../../services/storage/upload-parts.ts';
import { validateRequest } from '../../middleware/validate.ts';

type ConversationStub = DurableObjectStub<ConversationObject>;

const exportQuery = z.object({ format: z.enum(['jsonl', 'md']).default('jsonl') });

const TYPES = { jsonl: 'application/x-ndjson; charset=utf-8', md: 'text/markdown; charset=utf-8' } as const;

const importResult = z.object({
  conversation,
  deleted_at: z.string().optional().describe('When an existing conversation was moved to the trash'),
});
type ImportResult = z.infer<typeof importResult>;

const importFields = z.strictObject({
  character_id: z.string().min(1).max(64),
  import_key: importKey.optional(),
});
type ImportFields = z.infer<typeof importFields>;

/** Import and export of conversations as files. */
export const conversationFiles = new Hono<ApiEnv>()
  .get(
    '/:id/export',
    describeRoute({
      summary: 'Export a conversation as a file',
      responses: {
        200: {
          description: 'SillyTavern’s JSONL with all versions, or Markdown with the selected ones',
          content: {
            'application/x-ndjson': { schema: { type: 'string' } },
            'text/markdown': { schema: { type: 'string' } },
          },
        },
        ...ERROR_RESPONSES,
      },
    }),
    validateRequest('query', exportQuery),
    async (c) => {
      const { user, conversation: stub } = await requireConversation(c);
      const { format } = c.req.valid('query');
      const first = await fetchExportPage(stub, user.id, null);
      const header = withCarriedMetadata(first.header, first.messages[0]);
      const pages = streamExportPages(stub, user.id, first);
      const now = Date.now();
      const pieces =
        format === 'jsonl'
          ? renderChatFile(header, pages)
          : renderChatMarkdown(header, pages, await loadMarkdownLabels(c), now);
      const name = buildFileName(
        [header.characterName ?? '', header.title ?? '', new Date(now).toISOString().slice(0, 10)],
        format,
      );
      return c.body(toByteStream(pieces), 200, {
        'content-type': TYPES[format],
        'content-disposition': buildContentDisposition(name),
      });
    },
  )
  .post(
    '/import',
    describeRoute({
      summary: 'Import a chat file as a new conversation',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['file', 'character_id'],
              properties: {
                file: { type: 'string', format: 'binary' },
                character_id: { type: 'string' },
                import_key: {
                  type: 'string',
                  pattern: '^[A-Za-z0-9_-]{1,64}$',
                  description: 'A hash of the file; repeating it returns the conversation that exists',
                },
              },
            },
          },
        },
      },
      responses: {
        200: {
          description: 'The conversation that was imported with the same `import_key`, also from the trash',
          content: { 'application/json': { schema: resolver(importResult) } },
        },
        201: {
          description: 'The new conversation',
          content: { 'application/json': { schema: resolver(importResult) } },
        },
        ...ERROR_RESPONSES,
      },
    }),
    async (c) => {
      const caller = await requireCaller(c);
      const form = {
        fileField: 'file',
        maxFileBytes: BODY_LIMITS.chatFile,
        maxFrameBytes: BODY_LIMITS.formFrame,
        createMissingProblem: () => createMissingFieldsProblem('file', 'character_id'),
      };
      const { result, status } = await receiveForm(c, caller.user, form, (received) =>
        importForm(c, caller, parseImportForm(received)),
      );
      return c.json(result, status);
    },
  );

// ── Export ──

type ExportPage = { header: ChatHeader; messages: MessageRecord[]; next: string | null };

async function fetchExportPage(
  stub: ConversationStub,
  userId: string,
  after: string | null,
): Promise<ExportPage> {
  const answer = await stub.exportPage(userId, after);
  // The RPC types cannot express arbitrary JSON, which messages carry from other programs.
  return unwrapResult(answer as unknown as ({ ok: true } & ExportPage) | { ok: false; code: 'not_found' });
}

/** Yields the pages of a conversation, fetching each after the one before was consumed. */
async function* streamExportPages(
  stub: ConversationStub,
  userId: string,
  first: ExportPage,
): AsyncGenerator<MessageRecord[]> {
  yield first.messages;
  let { next } = first;
  while (next !== null) {
    // If the conversation was deleted in between, this throws: the download breaks off instead of looking complete.
    const page = await fetchExportPage(stub, userId, next);
    yield page.messages;
    next = page.next;
  }
}

async function loadMarkdownLabels(c: Context<ApiEnv>) {
  const { t } = await loadTexts(getRequestLanguage(c));
  return {
    untitled: t('chat:markdownUntitled'),
    person: t('chat:you'),
    character: t('chat:markdownCharacter'),
    begun: t('chat:markdownStarted'),
    exported: t('chat:markdownExported'),
    writtenByAi: t('chat:aiWritten'),
    edited: t('chat:stateEdited'),
    unfinished: t('chat:markdownUnfinished'),
  };
}

// ── Import ──

/** The form of an import. */
interface ImportForm {
  file: UploadedFile;
  fields: ImportFields;
}

/** Imports the chat of a form, unless it was imported with the same key before. @throws Problem */
async function importForm(
  c: Context<ApiEnv>,
  caller: Caller,
  { file, fields }: ImportForm,
): Promise<{ result: ImportResult; status: 200 | 201 }> {
  const existing = await findExisting(c, caller, fields);
  if (existing !== null) return { result: existing, status: 200 };
  await limitDailyImports(c, caller.user.id, 'file');
  const { source } = unwrap(
    await requireCharacterSource(toServiceContext(c), caller.user, fields.character_id),
  );
  const checked = await validateImport(c, caller, { file, source });
  try {
    const made = await importConversation(c, caller, { source, file, fields }, checked);
    return { result: { conversation: await presentConversation(c, caller.user, made) }, status: 201 };
  } catch (error) {
    // A request with the same key may have been faster; its row in D1 decides.
    const faster = await findExisting(c, caller, fields);
    if (faster === null) throw error;
    return { result: faster, status: 200 };
  }
}

/** Checks the form of an import: the file and its fields. @throws Problem */
function parseImportForm({ file, fields }: ReceivedForm): ImportForm {
  if (file === null) throw createMissingFieldsProblem('file');
  const parsed = importFields.safeParse(fields);
  if (parsed.success) return { file, fields: parsed.data };
  const invalidKey = parsed.error.issues.find(({ path: [field] }) => field === 'import_key');
  if (invalidKey === undefined) throw createMissingFieldsProblem('character_id');
  throw new Problem('invalid_input', { fields: { import_key: [invalidKey.message] } });
}

/** Returns the conversation that the caller imported with the same key; null when there is none. */
async function findExisting(
  c: Context<ApiEnv>,
  { user }: Caller,
  { import_key: key }: ImportFields,
): Promise<ImportResult | null> {
  const db = c.get('db');
  const id = key === undefined ? null : await findImportedConversation(db, user.id, key);
  if (id === null) return null;
  const found = await getConversationStub(c, id).describeImported(user.id);
  if (!found.ok) {
    // An interrupted deletion left the row behind.
    await deleteConversationRow(db, id);
    return null;
  }
  const { conversation: current, deletedAt } = found;
  return {
    conversation: await presentConversation(c, user, current),
    ...(deletedAt === null ? {} : { deleted_at: new Date(deletedAt).toISOString() }),
  };
}

function createMissingFieldsProblem(...fields: string[]): Problem {
  return new Problem('invalid_input', {
    fields: Object.fromEntries(fields.map((field) => [field, ['Send this field']])),
  });
}

const parseParts = (json: string | null): PromptParts =>
  json === null ? {} : (JSON.parse(json) as PromptParts);

/** The result of the first pass over a file. Nothing is created before every line has been validated. */
interface ValidatedImport {
  header: ChatHeader;
  settings: ReplySettings;
  /** The name of the first user message. */
  spokenName: string | null;
  /** What it will store: bytes of text, and the number of message versions. */
  text: { bytes: number; versions: number };
}

/** @param input.source its texts give context to the rules: they may state the age, and a message the act */
async function validateImport(
  c: Context<ApiEnv>,
  caller: Caller,
  { file, source }: { file: UploadedFile; source: CharacterSource },
): Promise<ValidatedImport> {
  const { character } = source;
  const { name, nickname = name, oneliner, character_traits: traits, first_message: opening } = character;
  const definitionPassage: ContextPassage = {
    of: 'character',
    text: [
      ...[describeName(name), describeName(nickname), oneliner, traits, opening],
      // Each message is checked with this context, so it has only the parts that can matter.
      ...Object.values(parseParts(source.parts)).filter(hasMinor),
    ].join('\n'),
  };
  const importedConversation = new ImportedChatModerator();
  let around = [definitionPassage];
  let left: number = CHAT_FILE.maxTextChars;
  let header: ChatHeader | null = null;
  let settings = DEFAULT_REPLY_SETTINGS;
  let spokenName: string | null = null;
  const stored = { bytes: 0, versions: 0 };
  const assertTextAllowed = async (text: string, near: readonly ContextPassage[]) => {
    const found = importedConversation.checkText(text, near);
    if (found === null) return;
    const { rule } = found;
    const evidence = { ...found.beside, character: character.id };
    const refused = {
      place: 'import',
      rule,
      written: [{ field: 'file', text }],
      beside: evidence,
    } as const;
    const context = toServiceContext(c);
    if (!(await isInputExempt(context, caller.user.id, refused)))
      throw toProblem(await createTextRefusal(context, caller.user.id, refused));
  };
  for await (const said of readChatFile(file.read(), { now: 0, newId: () => '' })) {
    if (said.kind === 'bad') {
      throw new Problem('import_line_invalid', {
        line: said.line,
        reason: LINE_PROBLEMS[said.reason],
        reason_code: said.reason,
      });
    }
    if (said.kind === 'header') {
      header = said.header;
      const person = (await listPersonaTexts(c, caller, said.header)).join('\n');
      around = [definitionPassage, { of: 'persona', text: person }];
      const { author_note: written } = said.header.replySettings;
      if (written !== undefined) await assertTextAllowed(written, around);
      settings = chooseImportedSettings(said.header.replySettings, {
        isOurs: said.isOurs,
        recommended: character.recommended_style,
      });
      const { author_note: note } = settings;
      if (note === '') continue;
      around = [...around, { of: 'note', text: note }];
      continue;
    }
    const { record } = said;
    stored.bytes += countRecordBytes(record);
    stored.versions += record.versions.length;
    if (record.role === 'user') spokenName ??= record.name;
    if (record.name !== null) importedConversation.addName(record.name);
    const texts = record.versions.flatMap(({ content, thinking = '', regenerateNote = '' }) => [
      content,
      thinking,
      regenerateNote,
    ]);
    for (const content of texts) {
      left -= content.length;
      // Refuse the file rather than leave text unmoderated.
      if (left < 0) throw new Problem('import_too_long');
      await assertTextAllowed(content, around);
    }
  }
  return { header: header as ChatHeader, settings, spokenName, text: stored };
}

/** Returns the names and the description of the user's persona in an imported chat, as context for the rules. */
async function listPersonaTexts(c: Context<ApiEnv>, { user }: Caller, header: ChatHeader): Promise<string[]> {
  const { persona, userName } = header;
  const found = persona === null ? null : await findPersonaByName(c.get('db'), user.id, persona);
  const names = [persona, userName, found === null ? await getOwnName(c, user) : null];
  return [...names.flatMap((name) => (name === null ? [] : [describeName(name)])), found?.description ?? ''];
}

/** Creates the conversation of a validated file. When anything fails, nothing of it remains. */
async function importConversation(
  c: Context<ApiEnv>,
  caller: Caller,
  { source, file, fields }: { source: CharacterSource } & ImportForm,
  { header, settings, spokenName, text }: ValidatedImport,
) {
  const ownerId = caller.user.id;
  const own = await getOwnName(c, caller.user);
  const persona =
    header.persona === null ? null : await findPersonaByName(c.get('db'), ownerId, header.persona);
  const made = await createListedConversation(
    toServiceContext(c),
    {
      owner: caller.user,
      clientIp: readClientIp(c),
      importKey: fields.import_key ?? null,
      bytes: estimateConversationBytes(text),
    },
    async ({ id, stub, now }) => {
      await stub.create({
        id,
        ownerId,
        // With a matching persona the file's name is the persona's, so the user keeps their own name.
        userName: persona === null ? (header.userName ?? spokenName ?? own) : own,
        persona,
        ...source,
        title: header.title,
        replySettings: settings,
        createdAt: header.createdAt ?? now,
        opening: [],
      });
      for await (const batch of streamMessageBatches(file, header, source.character.name, now))
        await stub.append(ownerId, batch);
      return unwrapResult(await stub.describe(ownerId));
    },
  );
  return unwrap(made).conversation;
}

/** Yields the messages of a validated file in batches, up to the size limit of one RPC call. */
async function* streamMessageBatches(
  file: UploadedFile,
  header: ChatHeader,
  characterName: string,
  now: number,
): AsyncGenerator<MessageRecord[]> {
  let batch: MessageRecord[] = [];
  let chars = 0;
  let first = true;
  for await (const said of readChatFile(file.read(), {
    now,
    newId: (position) => createPositionedId(now, position),
  })) {
    if (said.kind !== 'message') continue;
    const fittedMessage = toImportedMessage(said.record, header, characterName);
    const record = first ? withChatMetadata(fittedMessage, header) : fittedMessage;
    first = false;
    const messageChars = countRecordChars(record);
    if (
      batch.length === CHAT_FILE.pageMessages ||
      (batch.length > 0 && chars + messageChars > CHAT_FILE.pageChars)
    ) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(record);
    chars += messageChars;
  }
  if (batch.length > 0) yield batch;
}
