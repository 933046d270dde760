import { useTranslate } from '../i18n.tsx';
import { LINK } from '../styles.ts';

/** Leads from a refusal to where room can be made; a guest can log in there for more. Nothing for other refusals. */
export function StorageLink({ code }: { code: string }) {
  const errors = useTranslate('errors');
  if (code !== 'storage_full') return null;
  return (
    <a className={`${LINK} row-link self-start`} href="/account#storage">
      {errors('storage_manage')}
    </a>
  );
}
