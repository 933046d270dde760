import 'i18next';
import type account from './en/account.json';
import type admin from './en/admin.json';
import type adminReports from './en/adminReports.json';
import type cases from './en/cases.json';
import type adminStats from './en/adminStats.json';
import type blog from './en/blog.json';
import type center from './en/center.json';
import type character from './en/character.json';
import type chat from './en/chat.json';
import type choices from './en/choices.json';
import type competition from './en/competition.json';
import type common from './en/common.json';
import type create from './en/create.json';
import type creator from './en/creator.json';
import type deletion from './en/deletion.json';
import type device from './en/device.json';
import type discover from './en/discover.json';
import type dataExport from './en/export.json';
import type errors from './en/errors.json';
import type feedback from './en/feedback.json';
import type home from './en/home.json';
import type legal from './en/legal.json';
import type mail from './en/mail.json';
import type membership from './en/membership.json';
import type onboarding from './en/onboarding.json';
import type pages from './en/pages.json';
import type personas from './en/personas.json';
import type picture from './en/picture.json';
import type report from './en/report.json';
import type safety from './en/safety.json';
import type search from './en/search.json';
import type settings from './en/settings.json';
import type shell from './en/shell.json';
import type signin from './en/signin.json';

// English is the type of every message: a key that English lacks does not compile.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      common: typeof common;
      shell: typeof shell;
      home: typeof home;
      discover: typeof discover;
      character: typeof character;
      blog: typeof blog;
      legal: typeof legal;
      pages: typeof pages;
      chat: typeof chat;
      signin: typeof signin;
      onboarding: typeof onboarding;
      errors: typeof errors;
      export: typeof dataExport;
      mail: typeof mail;
      device: typeof device;
      personas: typeof personas;
      deletion: typeof deletion;
      safety: typeof safety;
      search: typeof search;
      account: typeof account;
      settings: typeof settings;
      feedback: typeof feedback;
      picture: typeof picture;
      create: typeof create;
      center: typeof center;
      creator: typeof creator;
      report: typeof report;
      choices: typeof choices;
      competition: typeof competition;
      membership: typeof membership;
      admin: typeof admin;
      adminReports: typeof adminReports;
      cases: typeof cases;
      adminStats: typeof adminStats;
    };
  }
}
