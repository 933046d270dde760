import { detectTextLanguage } from '../../../locales/text-language.ts';
import { useLang } from '../../shared/i18n.tsx';
import { UserText } from '../../shared/ui/UserText.tsx';
import { MessageText } from './MessageText.tsx';

/**
 * The character's first message as anyone may read it, while the user is asked to sign in. The AI notice comes with the
 * conversation.
 */
export function PublicGreeting({ name, text }: { name: string; text: string }) {
  const lang = useLang();
  return (
    <div>
      <p className="mb-1 font-serif wrap-anywhere">
        <UserText text={name} />
      </p>
      <div
        lang={detectTextLanguage(text, lang)}
        className="story leading-relaxed text-[length:var(--step-1)]"
      >
        <MessageText text={text} growing={false} initial="" />
      </div>
    </div>
  );
}
