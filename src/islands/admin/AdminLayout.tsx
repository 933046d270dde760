import type { ReactNode } from 'react';
import { RequireAdmin } from './RequireAdmin.tsx';
import { AdminNav, type AdminPage } from './AdminNav.tsx';
import { TranslationProvider, type Dictionary, type Namespace } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';

/** Props of an admin page's island. */
export interface AdminLayoutProps<N extends Namespace> {
  lang: string;
  /** Complete document title for administrators. */
  title: string;
  dictionary: Dictionary<N | 'admin'>;
}

/** Provides an admin page's translations and access check. */
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

/** Header of an admin page: navigation, heading and an offline notice. */
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
  /** What being offline means on this page. */
  offline: string;
  /** Shown under the heading. */
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
