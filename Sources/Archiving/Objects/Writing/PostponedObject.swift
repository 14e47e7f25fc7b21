/// An object that is written at the end of the archive, since the program can still add to it. The layers above create
/// such objects: encoders whose containers the program retains.
protocol PostponedObject: AnyObject {
    /// Writes the object. Nothing can be added afterwards.
    func writePostponed()

    /// Closes the object. Additions to it are not written.
    func close()
}
