import { detectTextLanguage } from '../../../locales/text-language.ts';
import { useLang } from '../../shared/i18n.tsx';
import { UserText } from '../../shared/ui/UserText.tsx';
import { AiNotice } from '../safety/AiNotice.tsx';
import { useAiNoticeForm } from '../chat-context.ts';
import { getInitialClass } from '../class-names.ts';
import { MessageText } from './MessageText.tsx';
import { Portrait } from './Portrait.tsx';

/**
 * The character's first message as anyone may read it, until there is a conversation. It is placed and sized as the
 * conversation's first row will be, so that nothing moves then.
 */
export function PublicGreeting({
  name,
  portrait,
  text,
}: {
  name: string;
  portrait: string | undefined;
  text: string;
}) {
  const lang = useLang();
  return (
    <div className="chat-list">
      <div>
        <AiNotice name={name} form={useAiNoticeForm()} />
        <div className="chat-reply relative">
          <Portrait url={portrait} />
          <p className="mb-1 font-serif wrap-anywhere">
            <UserText text={name} />
          </p>
          <div
            lang={detectTextLanguage(text, lang)}
            className="story leading-relaxed text-[length:var(--step-1)]"
          >
            <MessageText text={text} growing={false} initial={getInitialClass(text)} />
          </div>
          <div className="chat-meta min-h-11 max-sm:pt-2" />
        </div>
      </div>
    </div>
  );
}
