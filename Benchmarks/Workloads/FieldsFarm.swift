// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The farm and its location with declared fields. The animals are archived as their raw values.
struct FieldsFarm: ArchivedFields, Equatable {
    var name = ""
    var location = FieldsLocation()
    var animals: [Animal] = []

    static let fields = FieldList<FieldsFarm> {
        Field("name", \.name)
        Field("location", \.location)
        Field("animals", \.animals, .rawValues())
    }
}

extension FieldsFarm {
    init(_ value: Farm) {
        name = value.name
        location = FieldsLocation(value.location)
        animals = value.animals
    }
}

/// The location of a farm.
struct FieldsLocation: ArchivedFields, Equatable {
    var latitude = 0.0
    var longitude = 0.0

    static let fields = FieldList<FieldsLocation> {
        Field("latitude", \.latitude)
        Field("longitude", \.longitude)
    }
}

extension FieldsLocation {
    init(_ value: Location) {
        latitude = value.latitude
        longitude = value.longitude
    }
}
