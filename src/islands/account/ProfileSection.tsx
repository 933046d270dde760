import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { OwnAccount } from '../../features/account/contract.ts';
import { MIN_USERNAME_CHARS, validateUsername } from '../../features/account/username.ts';
import { AppealPrompt } from '../safety/Appeal.tsx';
import { FieldWithCounter, getDescriptionIds } from '../shared/ui/FieldWithCounter.tsx';
import type { Failure } from '../shared/api.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { AVATAR_FRAME } from '../picture/picture-crop.ts';
import { PictureDialog } from '../picture/PictureDialog.tsx';
import { MAX_PICTURE_MB, openPicture, PICTURE_TYPES, type PictureError } from '../picture/picture-file.ts';
import { FIELD, PRIMARY, QUIET, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { FileInput } from '../shared/ui/FileInput.tsx';
import { accountPage } from './account-state.ts';
import { Section, useErrorMessage, useErrorToast } from './components.tsx';

/** Profile: picture, username and nickname, which others see, and the email address, which is private. */
export function ProfileSection({ account }: { account: OwnAccount }) {
  const words = useTranslate('account');
  return (
    <Section id="profile" title={words('profileTitle')}>
      <AvatarField account={account} />
      <NameFields account={account} />
      <dl>
        <dt>{words('emailLabel')}</dt>
        <dd className="[overflow-wrap:anywhere]">
          {account.email}
          <span className="block text-sm text-text-quiet">{words('emailNote')}</span>
        </dd>
      </dl>
    </Section>
  );
}

function AvatarField({ account }: { account: OwnAccount }) {
  const words = useTranslate('account');
  const pictureWords = useTranslate('picture');
  const reportFailure = useErrorToast();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<ImageBitmap | null>(null);
  const [trouble, setTrouble] = useState<PictureError | null>(null);
  const previousAvatar = account.avatar_id;

  const choose = async (file: File) => {
    const picture = await openPicture(file);
    setTrouble(typeof picture === 'string' ? picture : null);
    if (typeof picture !== 'string') setOpened(picture);
  };
  const restoreAvatar = async (avatarId: string) => {
    const failure = await accountPage.change({ avatar_id: avatarId });
    if (failure) reportFailure(failure);
  };
  const remove = async (avatarId: string) => {
    const failure = await accountPage.change({ avatar_id: null });
    if (failure) return reportFailure(failure);
    showToast({
      text: words('pictureRemoved'),
      action: { label: words('undo'), run: () => void restoreAvatar(avatarId) },
    });
  };

  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <span aria-hidden="true" className="portrait">
        {account.avatar_url === null ? (
          [...account.username][0]?.toUpperCase()
        ) : (
          <img src={account.avatar_url} alt="" width="96" height="96" />
        )}
      </span>
      <div className="flex flex-wrap gap-3">
        <FileInput
          ref={input}
          accept={PICTURE_TYPES.join(',')}
          label={words('pictureChoose')}
          onChoose={(file) => void choose(file)}
        />
        <button type="button" className={SECONDARY} onClick={() => input.current?.click()}>
          {words(previousAvatar === null ? 'pictureChoose' : 'pictureChange')}
        </button>
        {previousAvatar === null ? null : (
          <button type="button" className={QUIET} onClick={() => void remove(previousAvatar)}>
            {words('pictureRemove')}
          </button>
        )}
      </div>
      <p role="alert" className="w-full text-sm text-danger empty:hidden">
        {trouble === null ? null : pictureWords(trouble, { limit: MAX_PICTURE_MB })}
      </p>
      <PictureDialog
        picture={opened}
        frame={AVATAR_FRAME}
        canvas="aspect-square max-w-64 rounded-full"
        take={accountPage.setAvatar}
        onTaken={() => showToast({ text: words('pictureSaved') })}
        onClose={() => {
          opened?.close();
          setOpened(null);
        }}
      />
    </div>
  );
}

type NameField = 'username' | 'nickname';

function NameFields({ account }: { account: OwnAccount }) {
  const words = useTranslate('account');
  const errors = useTranslate('errors');
  const sentence = useErrorMessage();
  const kept = { username: account.username, nickname: account.nickname ?? '' };
  const [draft, setDraft] = useState<Partial<Record<NameField, string>>>({});
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const values = { username: useRef<HTMLInputElement>(null), nickname: useRef<HTMLInputElement>(null) };
  const now = { ...kept, ...draft };
  const unsaved = now.username !== kept.username || now.nickname !== kept.nickname;

  useEffect(() => {
    if (!unsaved) return;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [unsaved]);

  const refused = failure?.refused;
  /** The field with the refused text; a refusal of both together is shown below the fields. */
  const refusedField = (['username', 'nickname'] as const).find(
    (name) =>
      now[name].trim() === refused?.text || (failure?.part !== undefined && name in (failure.fields ?? {})),
  );
  const wrong: Record<NameField, string | null> = {
    username: getUsernameError(now.username, kept.username, words),
    nickname: now.nickname.trim().length > TEXT_LIMITS.nickname ? errors('nickname_too_long') : null,
  };
  const discard = () => {
    setDraft({});
    setFailure(null);
    // The pressed button is removed with the draft.
    values.username.current?.focus();
  };
  const save = async () => {
    for (const name of ['username', 'nickname'] as const) {
      if (wrong[name] !== null) return values[name].current?.focus();
    }
    setBusy(true);
    const nickname = now.nickname.trim();
    const refused = await accountPage.change({
      ...(now.username === kept.username ? {} : { username: now.username }),
      ...(now.nickname === kept.nickname ? {} : { nickname: nickname === '' ? null : nickname }),
    });
    setBusy(false);
    setFailure(refused);
    if (refused) return;
    setDraft({});
    showToast({ text: words('saved') });
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && unsaved) void save();
      }}
    >
      {(['username', 'nickname'] as const).map((name) => (
        <NameInput
          key={name}
          ref={values[name]}
          name={name}
          value={now[name]}
          wrong={wrong[name] ?? (failure !== null && name === refusedField ? sentence(failure) : null)}
          write={(value) => {
            setDraft({ ...draft, [name]: value });
            setFailure(null);
          }}
        />
      ))}
      <p role="alert" className="text-danger empty:hidden">
        {failure && refusedField === undefined ? sentence(failure) : null}
      </p>
      {refused === undefined ? null : (
        <AppealPrompt key={refused.text} refused={{ place: 'name', ...refused }} />
      )}
      <div className="flex flex-wrap gap-3">
        <button type="submit" className={PRIMARY} disabled={!unsaved || busy} aria-busy={busy}>
          {words(busy ? 'saving' : 'save')}
        </button>
        {unsaved && !busy ? (
          <button type="button" className={QUIET} onClick={discard}>
            {words('discardChanges')}
          </button>
        ) : null}
      </div>
    </form>
  );
}

/** The error of a username, or null. A username from before the current rules may stay. */
function getUsernameError(
  name: string,
  kept: string,
  words: ReturnType<typeof useTranslate<'account'>>,
): string | null {
  if (name === kept) return null;
  const trouble = validateUsername(name);
  if (trouble === null) return null;
  return words(`username_${trouble}`, { min: MIN_USERNAME_CHARS, limit: TEXT_LIMITS.username });
}

function NameInput({
  ref,
  name,
  value,
  wrong,
  write,
}: {
  ref: RefObject<HTMLInputElement | null>;
  name: NameField;
  value: string;
  wrong: string | null;
  write: (value: string) => void;
}) {
  const words = useTranslate('account');
  const id = useId();
  const used = value.trim().length;
  const limit = TEXT_LIMITS[name];
  return (
    <FieldWithCounter
      id={id}
      label={words(`${name}Label`)}
      length={words('textLength', { used, limit })}
      over={used > limit}
      note={words(`${name}Note`, { min: MIN_USERNAME_CHARS, limit })}
      wrong={wrong}
    >
      <input
        ref={ref}
        id={id}
        name={name}
        // oxlint-disable-next-line jsx-a11y/autocomplete-valid -- HTML has these values
        autoComplete={name}
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        dir="auto"
        className={FIELD}
        value={value}
        aria-invalid={wrong !== null}
        aria-describedby={getDescriptionIds(id)}
        onChange={(event) => write(event.target.value)}
      />
    </FieldWithCounter>
  );
}
