import type { ReactNode } from 'react';
import { RequireAdmin } from './RequireAdmin.tsx';
import { AdminNav, type AdminPage } from './AdminNav.tsx';
import { TranslationProvider, type Dictionary, type Namespace } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';

/** What a page of the operator's own people gives its island. */
export interface AdminLayoutProps<N extends Namespace> {
  lang: string;
  /** What the document is called for them, whole. */
  title: string;
  dictionary: Dictionary<N | 'admin'>;
}

/** Such a page's words and its door. */
export function AdminLayout<N extends Namespace>({
  lang,
  title,
  dictionary,
  children,
}: AdminLayoutProps<N> & { children: ReactNode }) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <RequireAdmin title={title}>{children}</RequireAdmin>
    </TranslationProvider>
  );
}

/** The head of such a page: the way to the others, what it is, and that there is no network. */
export function AdminHeader({
  here,
  heading,
  about,
  offline,
  children,
}: {
  here: AdminPage;
  heading: string;
  about: string;
  /** What no network means here. */
  offline: string;
  /** Stands under the heading. */
  children?: ReactNode;
}) {
  const online = useOnline();
  return (
    <>
      <header className="flex flex-col gap-3">
        <AdminNav here={here} />
        <div>
          <h1>{heading}</h1>
          {children}
        </div>
        <p className="max-w-[var(--measure)] text-text-quiet">{about}</p>
      </header>
      {online ? null : (
        <p role="status" className="border-s-2 border-state ps-3">
          {offline}
        </p>
      )}
    </>
  );
}
