/// An object whose writing is put off to the end of the archive, since the program can still add to it. The layers above
/// make them: encoders whose containers the program holds.
protocol PostponedObject: AnyObject {
    /// Writes the object. Nothing can be added from here on.
    func writePostponed()

    /// Takes no more. What was added is not written.
    func close()
}
