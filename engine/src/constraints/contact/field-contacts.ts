import type { ContactGeometry } from '../../model/contact.js'
import type { Contacts } from './contacts.js'

export function fieldContacts(_c: Contacts, _g: ContactGeometry, _a: number, _b: number): void {}
