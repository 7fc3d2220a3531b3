// What may be done on this phone, by what its people are to the book.

export class Permissions {
  constructor(book) {
    this.book = book;
  }

  get mayEnter() { return this.#mayEnterAll || (this.book.info.entry === "all" && this.book.seats.length > 0); }
  get mayUndo() { return this.#mayEnterAll; }
  get maySay() { return this.book.seats.length > 0 && (this.#mayEnterAll || this.book.info.entry !== "book"); }
  get mayNote() { return this.maySay && !this.book.view.outcome; }
  get mayPause() { return this.maySay && !this.book.figures.break && !["S", "K", "E"].includes(this.book.figures.phase); }
  speaksFor(team) { return this.maySay && this.book.seats.includes(team); }
  get #mayEnterAll() { return this.book.info.may_enter_all; }
}
